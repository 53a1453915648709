-- When the tournament is planned to start; it does not expire before. NULL: no time is told, or a program of the last
-- release wrote the row.
ALTER TABLE tournaments ADD COLUMN starts_at timestamptz;
