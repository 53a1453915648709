ALTER TABLE ratings ADD COLUMN courts_of_knights integer NOT NULL DEFAULT 0;
UPDATE ratings SET courts_of_knights = coalesce((counters ->> 'courts_of_knights')::integer, 0);
ALTER TABLE ratings ALTER COLUMN courts_of_knights DROP DEFAULT, DROP COLUMN counters;
