ALTER TABLE games DROP COLUMN guest_network;
