-- What the orders of a duplicate table come from, the same at all tables of its round: nothing is told of how one
-- ended while another is played.
ALTER TABLE games ADD COLUMN shuffle_id uuid;
CREATE INDEX games_alike ON games (shuffle_id, status) WHERE shuffle_id IS NOT NULL;
UPDATE games SET shuffle_id = (entry::json #>> '{data,tournament,shuffle_id}')::uuid
    FROM entries WHERE entries.game_id = games.game_id AND seq = 1 AND tournament_id IS NOT NULL;
