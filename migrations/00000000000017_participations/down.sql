DROP TABLE participations;
ALTER TABLE accounts DROP COLUMN participations;
ALTER TABLE game_players DROP COLUMN seat;
ALTER TABLE games DROP COLUMN version;
