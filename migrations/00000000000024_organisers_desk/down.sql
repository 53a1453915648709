ALTER TABLE tournaments DROP COLUMN is_paused;
