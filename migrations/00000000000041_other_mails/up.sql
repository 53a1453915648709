-- Mails about webhooks are counted, too, and apart from those with a code.
ALTER TABLE sent_mails ADD COLUMN has_code boolean NOT NULL DEFAULT true;
