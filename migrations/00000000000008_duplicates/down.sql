DROP INDEX games_alike;
ALTER TABLE games DROP COLUMN shuffle_id;
