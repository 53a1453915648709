ALTER TABLE games DROP COLUMN rematch_of;
