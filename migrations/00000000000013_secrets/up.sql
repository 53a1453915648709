-- Secrets stand in clear, as 32 bytes, or wrapped by a master key: its id (8 bytes), the secret encrypted (32), and
-- what shows that it was wrapped for this row (16).
ALTER TABLE signing_keys DROP CONSTRAINT signing_keys_secret,
    ADD CONSTRAINT signing_keys_secret CHECK (octet_length(secret) IN (32, 56));
ALTER TABLE games DROP CONSTRAINT games_server_seed,
    ADD CONSTRAINT games_server_seed CHECK (octet_length(server_seed) IN (32, 56));
ALTER TABLE tournaments DROP CONSTRAINT tournaments_server_seed,
    ADD CONSTRAINT tournaments_server_seed CHECK (octet_length(server_seed) IN (32, 56));
-- Which master keys there have to be is asked at every start.
CREATE INDEX games_wrapped_by
    ON games (substring(server_seed FROM 1 FOR greatest(octet_length(server_seed) - 48, 0)));

-- Encrypted, so that nobody changes one unseen.
DELETE FROM snapshots;
ALTER TABLE snapshots DROP COLUMN seal, DROP COLUMN state, ADD COLUMN state bytea NOT NULL;
