-- A tournament is a log, too. The row beside it is the seed it commits to, and what lists show.
CREATE TABLE tournaments (
    tournament_id uuid CONSTRAINT tournaments_pkey PRIMARY KEY,
    server_seed bytea NOT NULL CONSTRAINT tournaments_server_seed CHECK (octet_length(server_seed) = 32),
    name text NOT NULL,
    kind text NOT NULL,
    status text NOT NULL
        CONSTRAINT tournaments_status CHECK (status IN ('open', 'active', 'finished', 'aborted')),
    entrants integer NOT NULL,
    round smallint NOT NULL,
    created_by uuid NOT NULL,
    created_at timestamptz NOT NULL,
    -- Of the request that made it, so that it is made once; the log's first entry has the rest.
    idempotency_key text,
    CONSTRAINT tournaments_idempotency UNIQUE (created_by, idempotency_key)
);
-- Ids begin with the time, so the newest has the highest.
CREATE INDEX tournaments_listed ON tournaments (status, tournament_id DESC);

-- What happened to a tournament. As with games, the key is the lock.
CREATE TABLE tournament_log (
    tournament_id uuid NOT NULL,
    seq integer NOT NULL CONSTRAINT tournament_log_seq CHECK (seq > 0),
    entry text NOT NULL,
    -- As in `entries`.
    caller uuid,
    idempotency_key text,
    request bytea,
    answer integer,
    CONSTRAINT tournament_log_pkey PRIMARY KEY (tournament_id, seq)
);
CREATE UNIQUE INDEX tournament_log_idempotency ON tournament_log (tournament_id, caller, idempotency_key)
    WHERE idempotency_key IS NOT NULL;

-- What each hand at a tournament's tables has brought, and each game's end: written with the entry that ended it,
-- in its transaction, and found again from the game's log alone.
CREATE TABLE tournament_hands (
    tournament_id uuid NOT NULL,
    game_id uuid NOT NULL,
    -- The entry that ended it.
    seq integer NOT NULL,
    at timestamptz NOT NULL,
    -- The hand's number.
    hand integer NOT NULL,
    -- Stacks, scores or totals after it, by seat.
    scores bigint[] NOT NULL,
    -- The points, as JSON; NULL where there were none.
    awards text,
    -- The places by seat, where the game ended; none where it was called off.
    places smallint[],
    CONSTRAINT tournament_hands_pkey PRIMARY KEY (tournament_id, game_id, seq)
);

-- Points in the order in which they were scored.
CREATE INDEX tournament_hands_scored ON tournament_hands (tournament_id, at, game_id, seq) WHERE awards IS NOT NULL;

-- The tournament that a game belongs to.
ALTER TABLE games ADD COLUMN tournament_id uuid;
CREATE INDEX games_tournament ON games (tournament_id) WHERE tournament_id IS NOT NULL;
-- The limit of games that somebody may have under way does not count those of a tournament.
DROP INDEX games_unfinished;
CREATE INDEX games_unfinished ON games (created_by) WHERE status IN ('open', 'active') AND tournament_id IS NULL;
CREATE INDEX games_running ON games (tournament_id) WHERE status = 'active' AND tournament_id IS NOT NULL;
