DROP TABLE outages;
DROP TABLE service;
DROP TABLE deadlines;
ALTER TABLE games DROP COLUMN bots, DROP COLUMN turn_seconds;
