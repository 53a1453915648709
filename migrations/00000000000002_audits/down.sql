DROP INDEX games_by_end;
ALTER TABLE games DROP CONSTRAINT games_ended;
ALTER TABLE games DROP COLUMN ended_at;
