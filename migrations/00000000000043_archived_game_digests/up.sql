-- SHA-256 of the game's bundle: whoever can write to the files cannot change a game unseen. Release 0.2.0 wrote none.
ALTER TABLE archived_games ADD COLUMN digest bytea CHECK (octet_length(digest) = 32);
