DROP TABLE tournament_finals;
DROP TABLE series_tournaments;
DROP TABLE series;
