-- Everything hot begins its key with game_id, so that the tables can be distributed by it; foreign keys
-- stand only along it. Constraints have names, because the program answers by them.

CREATE TABLE accounts (
    id uuid CONSTRAINT accounts_pkey PRIMARY KEY,
    username text NOT NULL,
    -- NULL: a guest, who has no password.
    password_hash text,
    role text NOT NULL DEFAULT 'player' CONSTRAINT accounts_role CHECK (role IN ('player', 'admin')),
    created_at timestamptz NOT NULL
);
-- Names differ by more than their case.
CREATE UNIQUE INDEX accounts_username ON accounts (lower(username));

CREATE TABLE refresh_tokens (
    -- SHA-256 of the token: the database cannot be used to log in.
    digest bytea CONSTRAINT refresh_tokens_pkey PRIMARY KEY,
    -- All tokens that came from one login.
    family uuid NOT NULL,
    account_id uuid NOT NULL,
    expires_at timestamptz NOT NULL,
    used_at timestamptz
);
CREATE INDEX refresh_tokens_family ON refresh_tokens (family);
CREATE INDEX refresh_tokens_expiry ON refresh_tokens (expires_at);

CREATE TABLE signing_keys (
    kid text CONSTRAINT signing_keys_pkey PRIMARY KEY,
    -- The Ed25519 private key's 32 bytes.
    secret bytea NOT NULL CONSTRAINT signing_keys_secret CHECK (octet_length(secret) = 32),
    created_at timestamptz NOT NULL
);

-- What the log does not say: the seed it commits to. The rest is an index over the logs, for lists.
CREATE TABLE games (
    game_id uuid CONSTRAINT games_pkey PRIMARY KEY,
    server_seed bytea NOT NULL CONSTRAINT games_server_seed CHECK (octet_length(server_seed) = 32),
    kind text NOT NULL,
    rules_version smallint NOT NULL,
    options text NOT NULL,
    -- How many seats there are to be taken.
    seats smallint NOT NULL,
    created_at timestamptz NOT NULL,
    status text NOT NULL
        CONSTRAINT games_status CHECK (status IN ('open', 'active', 'finished', 'aborted')),
    visibility text NOT NULL CONSTRAINT games_visibility CHECK (visibility IN ('public', 'private')),
    created_by uuid NOT NULL,
    -- Of the request that made the game, so that it is made once; the log's first entry has the rest.
    idempotency_key text,
    CONSTRAINT games_idempotency UNIQUE (created_by, idempotency_key)
);
-- Ids begin with the time, so the newest game has the highest.
CREATE INDEX games_lobby ON games (status, game_id DESC);
CREATE INDEX games_unfinished ON games (created_by) WHERE status IN ('open', 'active');

CREATE TABLE game_players (
    game_id uuid NOT NULL CONSTRAINT game_players_game REFERENCES games,
    account_id uuid NOT NULL,
    -- The result; NULL until the game is finished.
    place smallint,
    score bigint,
    CONSTRAINT game_players_pkey PRIMARY KEY (game_id, account_id)
);
CREATE INDEX game_players_account ON game_players (account_id, game_id DESC);

-- The truth. Entries are inserted and never changed. There is no foreign key to games: it would cost each
-- move a second lookup, and a log's first entry is written in the transaction that writes its game.
CREATE TABLE entries (
    game_id uuid NOT NULL,
    seq integer NOT NULL CONSTRAINT entries_seq CHECK (seq > 0),
    -- The entry without its hash, as canonical JSON (RFC 8785). It is text because text keeps every byte.
    entry text NOT NULL,
    hash bytea NOT NULL CONSTRAINT entries_hash CHECK (octet_length(hash) = 32),
    -- Who asked for it, under which key, the digest of what they asked, and the version that the answer
    -- showed: makes a repeat recognisable, and answers it alike.
    caller uuid,
    idempotency_key text,
    request bytea,
    answer integer,
    CONSTRAINT entries_pkey PRIMARY KEY (game_id, seq)
);
CREATE UNIQUE INDEX entries_idempotency ON entries (game_id, caller, idempotency_key)
    WHERE idempotency_key IS NOT NULL;
