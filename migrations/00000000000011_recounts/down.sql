ALTER TABLE tournaments DROP COLUMN recounted;
