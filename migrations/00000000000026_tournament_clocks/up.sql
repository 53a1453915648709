-- What organisers want of the clocks of a tournament's games, and what the games' logs have got of it; seconds by seat.
ALTER TABLE games ADD COLUMN pause_wanted boolean NOT NULL DEFAULT false;
ALTER TABLE games ADD COLUMN is_paused boolean NOT NULL DEFAULT false;
ALTER TABLE games ADD COLUMN seconds_wanted integer[] NOT NULL DEFAULT '{}';
ALTER TABLE games ADD COLUMN seconds_added integer[] NOT NULL DEFAULT '{}';
CREATE INDEX games_clocks_behind ON games (game_id)
    WHERE status = 'active' AND (pause_wanted <> is_paused OR seconds_wanted <> seconds_added);

-- Whether it is still to be noted who did not play the newest round.
ALTER TABLE tournaments ADD COLUMN is_unsettled boolean NOT NULL DEFAULT false;

-- By seat: how many decisions running the clock had made when the game ended.
ALTER TABLE tournament_hands ADD COLUMN missed smallint[];
