ALTER TABLE tournaments DROP COLUMN starts_at;
