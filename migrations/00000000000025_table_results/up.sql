-- An organiser has a table played once more, or has said how it ended: its game is called off if it runs.
ALTER TABLE games ADD COLUMN is_void boolean NOT NULL DEFAULT false;
