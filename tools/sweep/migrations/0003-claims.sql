-- What a sweep is about to run, so that another one that shares the file runs something else. Only a hint: a claim of a
-- process that is gone counts for nothing, and a unit that was run twice is recorded once.

CREATE TABLE claim (
  unit TEXT PRIMARY KEY,
  pid INTEGER NOT NULL
) WITHOUT ROWID;
