DROP INDEX webhooks_of_sessions;
ALTER TABLE webhooks DROP COLUMN session;
