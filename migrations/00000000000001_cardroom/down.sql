DROP TABLE entries;
DROP TABLE game_players;
DROP TABLE games;
DROP TABLE signing_keys;
DROP TABLE refresh_tokens;
DROP TABLE accounts;
