-- For lists: how many bots have sat down, and how fast it is played.
ALTER TABLE games
    ADD COLUMN bots smallint NOT NULL DEFAULT 0,
    ADD COLUMN turn_seconds integer;

-- When the house has to act at a game if no player does: written with the entry that sets it, gone when nothing
-- is due. A game without a clock and without a bot that waits has none.
CREATE TABLE deadlines (
    game_id uuid CONSTRAINT deadlines_pkey PRIMARY KEY,
    due_at timestamptz NOT NULL
);
CREATE INDEX deadlines_due ON deadlines (due_at);

-- The newest sign of life of any replica. One row, made by the first.
CREATE TABLE service (
    id boolean CONSTRAINT service_pkey PRIMARY KEY DEFAULT true CONSTRAINT service_one CHECK (id),
    last_seen timestamptz NOT NULL
);

-- When no replica was up: no clock counts this time.
CREATE TABLE outages (
    since timestamptz CONSTRAINT outages_pkey PRIMARY KEY,
    until timestamptz NOT NULL,
    CONSTRAINT outages_order CHECK (since < until)
);
