DELETE FROM snapshots;
ALTER TABLE snapshots DROP COLUMN state, ADD COLUMN state text NOT NULL,
    ADD COLUMN seal bytea NOT NULL CONSTRAINT snapshots_seal CHECK (octet_length(seal) = 32);

-- Refused where a secret is wrapped: `cardroom rewrap` with the master key `none` puts them in clear first.
DROP INDEX games_wrapped_by;
ALTER TABLE tournaments DROP CONSTRAINT tournaments_server_seed,
    ADD CONSTRAINT tournaments_server_seed CHECK (octet_length(server_seed) = 32);
ALTER TABLE games DROP CONSTRAINT games_server_seed,
    ADD CONSTRAINT games_server_seed CHECK (octet_length(server_seed) = 32);
ALTER TABLE signing_keys DROP CONSTRAINT signing_keys_secret,
    ADD CONSTRAINT signing_keys_secret CHECK (octet_length(secret) = 32);
