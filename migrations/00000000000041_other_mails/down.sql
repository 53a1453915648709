ALTER TABLE sent_mails DROP COLUMN has_code;
