-- Games that are over, and that lists must still show as active: the same cards are dealt at a table that is still
-- played, and how the game ended would tell what they are.
CREATE VIEW concealed_games AS
SELECT game_id
FROM games
WHERE status IN ('finished', 'aborted')
    AND EXISTS (
        SELECT FROM games AS running WHERE running.shuffle_id = games.shuffle_id AND running.status = 'active'
    );
