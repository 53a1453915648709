ALTER TABLE sent_mails DROP COLUMN kind;
