ALTER TABLE service DROP COLUMN expired_at;
DROP INDEX refresh_tokens_account;
ALTER TABLE accounts DROP COLUMN has_played;
ALTER TABLE games DROP COLUMN guest_network, DROP COLUMN empty_since;
DROP INDEX games_open;
