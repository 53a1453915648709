-- Addresses to which an account's notices are sent. What is to be sent follows from the logs: a webhook only keeps how
-- far its account was told.
CREATE TABLE webhooks (
    webhook_id uuid CONSTRAINT webhooks_pkey PRIMARY KEY,
    account_id uuid NOT NULL,
    url text NOT NULL,
    -- The types of notices that are sent; all of them without.
    events text[],
    created_at timestamptz NOT NULL,
    -- Up to where the account's stream was sent, or noted as a delivery.
    checkpoint text NOT NULL,
    -- The number of the newest delivery.
    deliveries integer NOT NULL DEFAULT 0,
    -- The first attempt that failed since the last one that did not.
    failing_since timestamptz,
    -- Since when nothing is sent, and why.
    disabled_at timestamptz,
    disabled_reason text,
    -- Goes up with each change by the owner, so that a replica at work notices it.
    revision integer NOT NULL DEFAULT 1,
    -- The replica that sends.
    holder uuid,
    CONSTRAINT webhooks_disabled CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL))
);
CREATE INDEX webhooks_of_accounts ON webhooks (account_id, webhook_id);
CREATE INDEX webhooks_held ON webhooks (holder) WHERE disabled_at IS NULL;

-- The keys that sign what is sent. An old one signs along for a while.
CREATE TABLE webhook_secrets (
    id uuid CONSTRAINT webhook_secrets_pkey PRIMARY KEY,
    webhook_id uuid NOT NULL CONSTRAINT webhook_secrets_webhook REFERENCES webhooks ON DELETE CASCADE,
    secret bytea NOT NULL,
    -- None for the current one.
    expires_at timestamptz
);
CREATE INDEX webhook_secrets_of_webhooks ON webhook_secrets (webhook_id);

-- The messages that were sent, or are being sent.
CREATE TABLE webhook_deliveries (
    webhook_id uuid NOT NULL CONSTRAINT webhook_deliveries_webhook REFERENCES webhooks ON DELETE CASCADE,
    n integer NOT NULL,
    message_id text NOT NULL,
    message_type text NOT NULL,
    body text NOT NULL,
    created_at timestamptz NOT NULL,
    status text NOT NULL CONSTRAINT webhook_deliveries_status CHECK (status IN ('pending', 'delivered', 'failed')),
    -- Attempts since it was last asked for.
    attempts smallint NOT NULL,
    -- When a pending one is tried again.
    next_attempt_at timestamptz,
    -- The last attempt: when it began, how long it took, and what came back.
    attempted_at timestamptz NOT NULL,
    took_ms integer NOT NULL,
    response_status smallint,
    response text,
    error text,
    CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (webhook_id, n),
    CONSTRAINT webhook_deliveries_message UNIQUE (webhook_id, message_id)
);
CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (webhook_id, n) WHERE status = 'pending';

-- The replicas that send, each until it has not said so for a while. By the database's clock, which all of them share.
CREATE TABLE webhook_holders (
    holder uuid CONSTRAINT webhook_holders_pkey PRIMARY KEY,
    expires_at timestamptz NOT NULL
);
