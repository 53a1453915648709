-- A table that is distributed can have no foreign key to one that is not. A snapshot without a game is never read.
ALTER TABLE snapshots DROP CONSTRAINT snapshots_game;
