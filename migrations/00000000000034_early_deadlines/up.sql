-- The version of the game by which its row was written. Later moves leave the row as it is while it comes due no later than
-- the game. 0: not known, because a program of the last release wrote the row.
ALTER TABLE deadlines ADD COLUMN version integer NOT NULL DEFAULT 0;
