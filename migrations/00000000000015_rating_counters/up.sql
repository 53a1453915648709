-- What a kind counts of its players besides, by name: the column was Knights' Heads' alone.
ALTER TABLE ratings ADD COLUMN counters jsonb NOT NULL DEFAULT '{}';
UPDATE ratings SET counters = jsonb_build_object('courts_of_knights', courts_of_knights) WHERE courts_of_knights > 0;
ALTER TABLE ratings ALTER COLUMN counters DROP DEFAULT, DROP COLUMN courts_of_knights;
