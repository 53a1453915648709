ALTER TABLE refresh_tokens DROP COLUMN used_with, DROP COLUMN successor;
