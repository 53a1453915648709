-- The network of the guest who made the game: the unfinished games that guests of one network made are counted. It is
-- forgotten when the game is over.
ALTER TABLE games ADD COLUMN guest_network text;
CREATE INDEX games_of_guests ON games (guest_network) WHERE guest_network IS NOT NULL;

-- Since when no person has sat at the game; it counts while the game is open.
ALTER TABLE games ADD COLUMN empty_since timestamptz;
UPDATE games SET empty_since = created_at WHERE status = 'open'
    AND NOT EXISTS (SELECT FROM game_players WHERE game_players.game_id = games.game_id);
CREATE INDEX games_empty ON games (empty_since) WHERE status = 'open';
CREATE INDEX games_open ON games (created_at) WHERE status = 'open';

-- Whether the account has ever made a game or a tournament, or had a place in one. Of those who were there before this
-- migration nobody knows, so they stay.
ALTER TABLE accounts ADD COLUMN has_played boolean NOT NULL DEFAULT true;
ALTER TABLE accounts ALTER COLUMN has_played SET DEFAULT false;
CREATE INDEX accounts_unused ON accounts (created_at) WHERE password_hash IS NULL AND NOT has_played;
CREATE INDEX refresh_tokens_account ON refresh_tokens (account_id);

-- When a replica last looked for what nobody uses.
ALTER TABLE service ADD COLUMN expired_at timestamptz NOT NULL DEFAULT 'epoch';
