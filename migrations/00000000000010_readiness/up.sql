-- What a check of readiness writes, to see that the database takes writes. One row, made by the first.
CREATE TABLE readiness (
    id boolean CONSTRAINT readiness_pkey PRIMARY KEY DEFAULT true CONSTRAINT readiness_one CHECK (id),
    checked_at timestamptz NOT NULL
);
