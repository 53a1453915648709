-- A subscription to Web Push is a webhook to a browser's push service, for which messages are encrypted.
ALTER TABLE webhooks
    -- The browser's P-256 key, uncompressed, and the secret that it shares with those who send.
    ADD COLUMN push_key bytea,
    ADD COLUMN push_auth bytea,
    ADD CONSTRAINT webhooks_push_keys CHECK ((push_key IS NULL) = (push_auth IS NULL));
-- A browser belongs to the account that used it last.
CREATE UNIQUE INDEX webhooks_push ON webhooks (url) WHERE push_key IS NOT NULL;

-- The P-256 key that signs requests to push services. Browsers subscribe to it, so there is one, and it stays.
CREATE TABLE push_keys (
    id uuid CONSTRAINT push_keys_pkey PRIMARY KEY,
    secret bytea NOT NULL
);
