-- This fails where the table is distributed: such a table can have no foreign key to one that is not.
DELETE FROM snapshots WHERE game_id NOT IN (SELECT game_id FROM games);
ALTER TABLE snapshots ADD CONSTRAINT snapshots_game FOREIGN KEY (game_id) REFERENCES games;
