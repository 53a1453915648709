DROP VIEW concealed_games;
