-- No round of a paused tournament is drawn.
ALTER TABLE tournaments ADD COLUMN is_paused boolean NOT NULL DEFAULT false;
