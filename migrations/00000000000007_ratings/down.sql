DROP TABLE ratings;
DROP TABLE rated_games;
DROP TABLE unrated_games;
