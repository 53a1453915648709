DROP INDEX games_running;
DROP INDEX games_unfinished;
CREATE INDEX games_unfinished ON games (created_by) WHERE status IN ('open', 'active');
DROP INDEX games_tournament;
ALTER TABLE games DROP COLUMN tournament_id;
DROP TABLE tournament_hands;
DROP TABLE tournament_log;
DROP TABLE tournaments;
