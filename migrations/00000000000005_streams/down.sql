ALTER TABLE games DROP COLUMN changed;
DROP TABLE stream_tickets;
