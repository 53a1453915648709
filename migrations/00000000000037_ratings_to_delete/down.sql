DROP TABLE ratings_to_delete;
