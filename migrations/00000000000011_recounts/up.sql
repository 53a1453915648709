-- How often what the games of a tournament have brought was written anew: replicas keep it in memory, and read it again.
ALTER TABLE tournaments ADD COLUMN recounted integer NOT NULL DEFAULT 0;
