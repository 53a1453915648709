DELETE FROM snapshots WHERE game_id NOT IN (SELECT game_id FROM games);
ALTER TABLE snapshots ADD CONSTRAINT snapshots_game FOREIGN KEY (game_id) REFERENCES games;
