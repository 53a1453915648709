ALTER TABLE accounts
    -- A program says so for ever.
    ADD COLUMN is_program boolean NOT NULL DEFAULT false,
    -- The row of a deleted account keeps its name, which stands in logs and belongs to nobody again.
    ADD COLUMN deleted_at timestamptz;

-- Tokens for bots and scripts. Only their digests are stored.
CREATE TABLE personal_tokens (
    token_id uuid CONSTRAINT personal_tokens_pkey PRIMARY KEY,
    account_id uuid NOT NULL,
    name text NOT NULL,
    digest bytea NOT NULL CONSTRAINT personal_tokens_digest UNIQUE,
    scopes text[] NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    -- Not more often than once an hour.
    used_at timestamptz
);
CREATE INDEX personal_tokens_of_accounts ON personal_tokens (account_id, token_id);

-- Codes that open an account once, for somebody who has lost the password. Only their digests are stored.
CREATE TABLE recovery_codes (
    account_id uuid NOT NULL,
    digest bytea NOT NULL,
    created_at timestamptz NOT NULL,
    -- None for a code of the owner's own, which holds until it is used or replaced.
    expires_at timestamptz,
    CONSTRAINT recovery_codes_pkey PRIMARY KEY (account_id, digest)
);

-- A player's rating of all time after each game that counted.
CREATE TABLE rating_history (
    account_id uuid NOT NULL,
    kind text NOT NULL,
    -- The game's number in `rated_games`.
    n bigint NOT NULL,
    game_id uuid NOT NULL,
    ended_at timestamptz NOT NULL,
    rating double precision NOT NULL,
    CONSTRAINT rating_history_pkey PRIMARY KEY (account_id, kind, n)
);

-- For the search by the beginning of a name.
CREATE INDEX accounts_names ON accounts ((lower(username) COLLATE "C"))
    WHERE password_hash IS NOT NULL AND deleted_at IS NULL;
