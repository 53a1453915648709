DROP INDEX webhooks_untold;
ALTER TABLE webhooks DROP COLUMN is_disabled_told;
DROP TABLE sent_mails;
DROP TABLE mail_addresses;
