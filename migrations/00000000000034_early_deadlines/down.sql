ALTER TABLE deadlines DROP COLUMN version;
