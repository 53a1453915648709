-- Finished games that nobody has looked at yet: whether they count for ratings, and what they change. Written with
-- the entry that finishes the game.
CREATE TABLE unrated_games (
    game_id uuid CONSTRAINT unrated_games_pkey PRIMARY KEY,
    -- Not before: when it ended, or later where the end is not to be told yet.
    due_at timestamptz NOT NULL
);
CREATE INDEX unrated_games_due ON unrated_games (due_at, game_id);
INSERT INTO unrated_games (game_id, due_at)
    SELECT game_id, ended_at FROM games WHERE status = 'finished' AND ended_at IS NOT NULL;

-- Games that count, in the order in which they were counted. Counted again in this order, they give the same figures.
CREATE TABLE rated_games (
    n bigint CONSTRAINT rated_games_pkey PRIMARY KEY,
    game_id uuid NOT NULL CONSTRAINT rated_games_once UNIQUE
);

-- The figures of a player: of all time, and of each season and week.
CREATE TABLE ratings (
    account_id uuid NOT NULL,
    kind text NOT NULL,
    -- `all`, `2026-Q4` or `2026-W47`.
    period text NOT NULL,
    -- mu - 3 sigma: what leaderboards go by.
    rating double precision NOT NULL,
    mu double precision NOT NULL,
    sigma double precision NOT NULL,
    games integer NOT NULL,
    wins integer NOT NULL,
    hands bigint NOT NULL,
    streak integer NOT NULL,
    best_streak integer NOT NULL,
    courts_of_knights integer NOT NULL,
    CONSTRAINT ratings_pkey PRIMARY KEY (account_id, kind, period)
);
CREATE INDEX ratings_board ON ratings (kind, period, rating DESC, account_id DESC);
