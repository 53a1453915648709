-- Migration 26 takes the columns away, whatever they are.
SELECT 1;
