ALTER TABLE archived_games DROP COLUMN digest;
