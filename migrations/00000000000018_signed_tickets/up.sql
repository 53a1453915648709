-- Tickets are signed by now, and nothing is stored of them.
DROP TABLE stream_tickets;
