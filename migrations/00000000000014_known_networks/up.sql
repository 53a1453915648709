-- From where accounts have signed in: those networks have allowances of their own when strangers try passwords.
CREATE TABLE known_networks (
    account_id uuid NOT NULL,
    -- An IPv4 address, or the first 64 bits of an IPv6 address.
    network text NOT NULL,
    seen_at timestamptz NOT NULL,
    CONSTRAINT known_networks_pkey PRIMARY KEY (account_id, network)
);
