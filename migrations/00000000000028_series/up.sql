-- Series: points over several tournaments.
CREATE TABLE series (
    series_id uuid CONSTRAINT series_pkey PRIMARY KEY,
    account_id uuid NOT NULL,
    name text NOT NULL,
    description text,
    -- JSON: what a finished tournament gives.
    points text NOT NULL,
    -- How many of a player's tournaments count; all of them without.
    best smallint,
    created_at timestamptz NOT NULL,
    -- The key of the request that created it, and its digest.
    idempotency_key text,
    request bytea,
    CONSTRAINT series_idempotency UNIQUE (account_id, idempotency_key)
);
CREATE INDEX series_of_accounts ON series (account_id, series_id);

CREATE TABLE series_tournaments (
    series_id uuid NOT NULL CONSTRAINT series_tournaments_series REFERENCES series ON DELETE CASCADE,
    tournament_id uuid NOT NULL CONSTRAINT series_tournaments_tournament REFERENCES tournaments,
    CONSTRAINT series_tournaments_pkey PRIMARY KEY (series_id, tournament_id)
);
CREATE INDEX series_of_tournaments ON series_tournaments (tournament_id, series_id);

-- What finished tournaments left to accounts, as it followed from this version of the log and this count of the games. It
-- can be computed anew at any time.
CREATE TABLE tournament_finals (
    tournament_id uuid CONSTRAINT tournament_finals_pkey PRIMARY KEY,
    version integer NOT NULL,
    recounted integer NOT NULL,
    finals text NOT NULL
);
