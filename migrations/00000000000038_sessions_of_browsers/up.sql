-- The session in which a browser subscribed to Web Push; the subscription ends with it. NULL: a webhook, or a program of the
-- last release wrote the row.
ALTER TABLE webhooks ADD COLUMN session uuid;
CREATE INDEX webhooks_of_sessions ON webhooks (session) WHERE session IS NOT NULL;
