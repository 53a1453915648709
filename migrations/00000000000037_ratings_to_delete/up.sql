-- Deleted accounts whose ratings are still kept: until their last game is over and counted, its other players' ratings
-- depend on them.
CREATE TABLE ratings_to_delete (
    account_id uuid PRIMARY KEY
);
