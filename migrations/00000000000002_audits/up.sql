-- Exports of games that are over go by when they ended: what ends later comes later.
ALTER TABLE games ADD COLUMN ended_at timestamptz;
UPDATE games SET ended_at = (
    SELECT (entry::jsonb ->> 'at')::timestamptz FROM entries
    WHERE entries.game_id = games.game_id ORDER BY seq DESC LIMIT 1
) WHERE status IN ('finished', 'aborted');
ALTER TABLE games ADD CONSTRAINT games_ended CHECK ((ended_at IS NOT NULL) = (status IN ('finished', 'aborted')));
CREATE INDEX games_by_end ON games (ended_at, game_id) WHERE ended_at IS NOT NULL;
