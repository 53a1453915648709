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
