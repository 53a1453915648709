-- A build before the first release counted the seconds of a game, and not those of each seat. Its databases are changed
-- here; migration 26 makes the others so.
DO $$ BEGIN
    IF 'integer' = (SELECT data_type FROM information_schema.columns
            WHERE table_schema = current_schema AND table_name = 'games' AND column_name = 'seconds_wanted') THEN
        DROP INDEX games_clocks_behind;
        ALTER TABLE games
            ALTER COLUMN seconds_wanted DROP DEFAULT,
            ALTER COLUMN seconds_added DROP DEFAULT,
            -- Both lists have a number for each seat once some time was given.
            ALTER COLUMN seconds_wanted TYPE integer[] USING CASE WHEN seconds_wanted = 0 AND seconds_added = 0 THEN '{}'
                ELSE array_fill(seconds_wanted, ARRAY[seats::integer]) END,
            ALTER COLUMN seconds_added TYPE integer[] USING CASE WHEN seconds_wanted = 0 AND seconds_added = 0 THEN '{}'
                ELSE array_fill(seconds_added, ARRAY[seats::integer]) END,
            ALTER COLUMN seconds_wanted SET DEFAULT '{}',
            ALTER COLUMN seconds_added SET DEFAULT '{}';
        CREATE INDEX games_clocks_behind ON games (game_id)
            WHERE status = 'active' AND (pause_wanted <> is_paused OR seconds_wanted <> seconds_added);
    END IF;
END $$;
