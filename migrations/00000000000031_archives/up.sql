-- The logs of old games lie in files, where `cardroom archive` has moved them from `entries`. A file has a line for each
-- game; it never changes.
CREATE TABLE archives (
    -- The file's name, without its folder.
    file text CONSTRAINT archives_pkey PRIMARY KEY,
    -- The month in which its games were created, like 2026-10.
    month text NOT NULL,
    -- SHA-256 of the file.
    digest bytea NOT NULL CONSTRAINT archives_digest CHECK (octet_length(digest) = 32),
    archived_at timestamptz NOT NULL
);

-- Which games have their log in a file: their entries are in `entries` no more.
CREATE TABLE archived_games (
    game_id uuid CONSTRAINT archived_games_pkey PRIMARY KEY,
    file text NOT NULL CONSTRAINT archived_games_file REFERENCES archives,
    -- Where the game begins in the file, and its length there, in bytes.
    position bigint NOT NULL,
    length integer NOT NULL
);
CREATE INDEX archived_games_in_file ON archived_games (file, position);
