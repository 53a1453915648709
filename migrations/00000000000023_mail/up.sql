-- Where an account can be reached by mail.
CREATE TABLE mail_addresses (
    account_id uuid CONSTRAINT mail_addresses_pkey PRIMARY KEY,
    -- The address that its owner has confirmed.
    address text,
    -- The one that is to take its place, and the digest of the code that confirms it.
    new_address text,
    code bytea CONSTRAINT mail_addresses_code UNIQUE,
    code_expires_at timestamptz,
    CONSTRAINT mail_addresses_new CHECK (num_nonnulls(new_address, code, code_expires_at) IN (0, 3))
);

-- The mails of the last day, so that nobody is sent too many.
CREATE TABLE sent_mails (
    mail_id uuid CONSTRAINT sent_mails_pkey PRIMARY KEY,
    account_id uuid NOT NULL,
    -- In lower case.
    address text NOT NULL,
    sent_at timestamptz NOT NULL
);
CREATE INDEX sent_mails_of_accounts ON sent_mails (account_id, sent_at);
CREATE INDEX sent_mails_to_addresses ON sent_mails (address, sent_at);
CREATE INDEX sent_mails_times ON sent_mails (sent_at);

-- Whether the owner of a webhook that was disabled has been told so by mail.
ALTER TABLE webhooks ADD COLUMN is_disabled_told boolean NOT NULL DEFAULT false;
CREATE INDEX webhooks_untold ON webhooks (webhook_id)
    WHERE disabled_reason <> 'owner' AND push_key IS NULL AND NOT is_disabled_told;
