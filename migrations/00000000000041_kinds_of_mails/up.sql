-- Why a mail was sent: 'confirmation' of an address, 'recovery' of an account, or a 'webhook' that was disabled. Each kind has
-- limits of its own.
ALTER TABLE sent_mails ADD COLUMN kind text NOT NULL DEFAULT 'confirmation';
