-- Tables written down, so that a long log need not be replayed from its beginning. A cache: deleting all of it costs
-- time, and nothing else. A game has one, whose state only the program that wrote it can read.
CREATE TABLE snapshots (
    game_id uuid CONSTRAINT snapshots_pkey PRIMARY KEY CONSTRAINT snapshots_game REFERENCES games,
    -- The entry that it is taken after.
    seq integer NOT NULL CONSTRAINT snapshots_seq CHECK (seq > 0),
    -- Which build's rules can go on from it.
    build text NOT NULL,
    state text NOT NULL,
    -- HMAC-SHA256 of the state under the game's seed: a state that was changed is no state.
    seal bytea NOT NULL CONSTRAINT snapshots_seal CHECK (octet_length(seal) = 32)
);
