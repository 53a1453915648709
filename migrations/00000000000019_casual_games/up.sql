-- Whether the result of a game counts for ratings.
ALTER TABLE games ADD COLUMN is_rated boolean NOT NULL DEFAULT true;
