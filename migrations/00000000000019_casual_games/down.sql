ALTER TABLE games DROP COLUMN is_rated;
