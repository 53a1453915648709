-- The seconds beyond its decisions' that each seat has for the whole game; who joins wants a table with as many. NULL: not
-- known, because a program of the last release wrote the row.
ALTER TABLE games ADD COLUMN bank_seconds integer;
