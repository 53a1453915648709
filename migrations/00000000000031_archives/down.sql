DROP TABLE archived_games;
DROP TABLE archives;
