-- A client that got no answer repeats its request: SHA-256 of the Idempotency-Key with which a refresh token was used, and
-- the digest of the token that was given for it.
ALTER TABLE refresh_tokens ADD COLUMN used_with bytea, ADD COLUMN successor bytea;
