-- Another account has entered this one in a tournament, or made it an organiser. These are counted apart, so that no stranger
-- uses up what an account may take part in.
ALTER TABLE participations ADD COLUMN by_others boolean NOT NULL DEFAULT false;
