ALTER TABLE games DROP COLUMN bank_seconds;
