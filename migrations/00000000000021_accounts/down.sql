DROP INDEX accounts_names;
DROP TABLE rating_history;
DROP TABLE recovery_codes;
DROP TABLE personal_tokens;
ALTER TABLE accounts DROP COLUMN deleted_at, DROP COLUMN is_program;
