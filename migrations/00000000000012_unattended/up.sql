-- The network of the guest who made the game: the unfinished games that guests of one network made are counted. It is
-- forgotten when the game is over.
ALTER TABLE games ADD COLUMN guest_network text;
CREATE INDEX games_of_guests ON games (guest_network) WHERE guest_network IS NOT NULL;
