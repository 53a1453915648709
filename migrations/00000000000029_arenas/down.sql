ALTER TABLE games DROP COLUMN entrants;
DROP INDEX tournaments_arenas;
ALTER TABLE tournaments DROP COLUMN arena_ends_at;
ALTER TABLE tournaments DROP COLUMN present;
