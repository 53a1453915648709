ALTER TABLE tournament_hands DROP COLUMN missed;
ALTER TABLE tournaments DROP COLUMN is_unsettled;
ALTER TABLE games DROP COLUMN seconds_added;
ALTER TABLE games DROP COLUMN seconds_wanted;
ALTER TABLE games DROP COLUMN is_paused;
ALTER TABLE games DROP COLUMN pause_wanted;
