-- Which game it repeats. One game has one rematch, whoever asks first.
ALTER TABLE games ADD COLUMN rematch_of uuid CONSTRAINT games_rematch UNIQUE;
