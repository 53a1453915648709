-- What lets a browser's EventSource, which sends no headers, open one stream of one game.
CREATE TABLE stream_tickets (
    game_id uuid NOT NULL,
    -- SHA-256 of the ticket. The row goes when the ticket is used, so it is used once, by whichever replica.
    digest bytea NOT NULL,
    account_id uuid NOT NULL,
    expires_at timestamptz NOT NULL,
    CONSTRAINT stream_tickets_pkey PRIMARY KEY (game_id, digest)
);
CREATE INDEX stream_tickets_expiry ON stream_tickets (expires_at);

-- The transaction that last changed what the lobby shows of the game. A number that is drawn at an insert can
-- be seen after a higher one; of transactions PostgreSQL knows below which id none is under way, so a reader
-- that goes no further than that misses nothing.
ALTER TABLE games ADD COLUMN changed bigint NOT NULL DEFAULT (pg_current_xact_id()::text::bigint);
CREATE INDEX games_changed ON games (changed);
