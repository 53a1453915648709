-- In the order in which the lobby shows open games. A plan that sorts them is never the cheaper one, however old the
-- table's statistics are.
DROP INDEX games_open;
CREATE INDEX games_open ON games (game_id DESC) WHERE status = 'open';
