DROP TABLE push_keys;
DELETE FROM webhooks WHERE push_key IS NOT NULL;
DROP INDEX webhooks_push;
ALTER TABLE webhooks DROP CONSTRAINT webhooks_push_keys, DROP COLUMN push_auth, DROP COLUMN push_key;
