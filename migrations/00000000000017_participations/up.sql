-- The games and tournaments that concern an account: where it sits, has entered, or that it created. They are numbered
-- for each account, and its row in accounts is locked meanwhile, so a number becomes visible after all lower ones.
ALTER TABLE accounts ADD COLUMN participations integer NOT NULL DEFAULT 0;
CREATE TABLE participations (
    account_id uuid NOT NULL,
    n integer NOT NULL CONSTRAINT participations_n CHECK (n > 0),
    game_id uuid,
    tournament_id uuid,
    -- The entries of the log with which it began and ended; no end while the log goes on.
    since integer NOT NULL,
    until integer,
    -- The account stood up or withdrew before the start.
    has_left boolean NOT NULL DEFAULT false,
    -- The account is invited, and does not take part. It is told once.
    is_invited boolean NOT NULL DEFAULT false,
    CONSTRAINT participations_pkey PRIMARY KEY (account_id, n),
    CONSTRAINT participations_topic CHECK (num_nonnulls(game_id, tournament_id) = 1)
);
CREATE INDEX participations_running ON participations (account_id) WHERE until IS NULL;
CREATE INDEX participations_of_games ON participations (game_id) WHERE until IS NULL;
CREATE INDEX participations_of_tournaments ON participations (tournament_id) WHERE until IS NULL;

-- The seat at which a player sat, once the game is over.
ALTER TABLE game_players ADD COLUMN seat smallint;

-- How many entries the log had when the row last changed. While a game is active, its log may have more.
ALTER TABLE games ADD COLUMN version integer NOT NULL DEFAULT 1;
UPDATE games SET version = (SELECT max(seq) FROM entries WHERE entries.game_id = games.game_id)
    WHERE EXISTS (SELECT FROM entries WHERE entries.game_id = games.game_id);

WITH seated AS (
    SELECT account_id, game_id FROM game_players
    UNION SELECT created_by, game_id FROM games WHERE tournament_id IS NULL
), entered AS (
    SELECT created_by AS account_id, tournament_id FROM tournaments
    UNION SELECT (entry::jsonb #>> '{data,entrant,who,account}')::uuid, tournament_id FROM tournament_log
        WHERE entry::jsonb ->> 'type' = 'entered' AND entry::jsonb #>> '{data,entrant,who,account}' IS NOT NULL
    UNION SELECT (entry::jsonb #>> '{data,account}')::uuid, tournament_id FROM tournament_log
        WHERE entry::jsonb ->> 'type' = 'organiser_named'
), every AS (
    SELECT account_id, game_id, NULL::uuid AS tournament_id,
        CASE WHEN status IN ('finished', 'aborted') THEN version END AS until
    FROM seated JOIN games USING (game_id)
    UNION ALL
    SELECT account_id, NULL, tournament_id, CASE WHEN status IN ('finished', 'aborted') THEN
        (SELECT max(seq) FROM tournament_log WHERE tournament_log.tournament_id = tournaments.tournament_id) END
    FROM entered JOIN tournaments USING (tournament_id)
)
INSERT INTO participations (account_id, n, game_id, tournament_id, since, until)
SELECT account_id, row_number() OVER (PARTITION BY account_id ORDER BY coalesce(game_id, tournament_id)),
    game_id, tournament_id, 1, until
FROM every;
UPDATE accounts SET participations = (SELECT count(*) FROM participations WHERE account_id = accounts.id);
