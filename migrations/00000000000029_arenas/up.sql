-- Arenas: players who are free are seated while other tables of the tournament still play.
-- How many entrants can be seated in another round.
ALTER TABLE tournaments ADD COLUMN present integer NOT NULL DEFAULT 0;
-- From when on an arena seats nobody; NULL in other formats, and before the start.
ALTER TABLE tournaments ADD COLUMN arena_ends_at timestamptz;
CREATE INDEX tournaments_arenas ON tournaments (tournament_id) WHERE status = 'active' AND arena_ends_at IS NOT NULL;
-- How many entrants sit at a tournament's table, bots that fill seats left out.
ALTER TABLE games ADD COLUMN entrants smallint NOT NULL DEFAULT 0;
