ALTER TABLE participations DROP COLUMN by_others;
