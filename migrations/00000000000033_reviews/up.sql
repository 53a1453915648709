-- Reviews of games that are over, as they were computed: a cache. All of it follows from the logs, so any row may be
-- deleted at any time.
CREATE TABLE reviews (
    game_id uuid NOT NULL REFERENCES games (game_id),
    -- What was reviewed, as `src/games/reviews.rs` writes it: `hand 3`.
    subject text NOT NULL,
    -- A word for the sources of the program that computed it. A later program computes the review anew.
    method text NOT NULL,
    -- JSON.
    review text NOT NULL,
    computed_at timestamptz NOT NULL,
    PRIMARY KEY (game_id, subject)
);
CREATE INDEX reviews_computed_at ON reviews (computed_at);
