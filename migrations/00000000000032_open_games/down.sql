DROP INDEX games_open;
CREATE INDEX games_open ON games (created_at) WHERE status = 'open';
