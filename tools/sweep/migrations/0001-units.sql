-- A kernel by its content, a configuration by all that decides an outcome besides the kernel, and a unit for each pair
-- that was run. The key of a unit is the pair: it is recorded once.

CREATE TABLE kernel (
  id INTEGER PRIMARY KEY,
  digest TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  method TEXT NOT NULL,
  bytes INTEGER NOT NULL
);

CREATE TABLE configuration (
  id INTEGER PRIMARY KEY,
  tool TEXT NOT NULL,
  compiler TEXT NOT NULL,
  version TEXT NOT NULL,
  build TEXT NOT NULL,
  variant TEXT NOT NULL,
  flags TEXT NOT NULL,
  UNIQUE (tool, compiler, version, build, variant, flags)
);

CREATE TABLE unit (
  id INTEGER PRIMARY KEY,
  kernel INTEGER NOT NULL REFERENCES kernel,
  configuration INTEGER NOT NULL REFERENCES configuration,
  answer TEXT,
  error TEXT,
  message TEXT NOT NULL,
  wrong INTEGER NOT NULL,
  hazards INTEGER NOT NULL,
  spills INTEGER,
  runs INTEGER,
  differ INTEGER,
  code TEXT NOT NULL,
  seconds REAL NOT NULL,
  host TEXT NOT NULL,
  recorded TEXT NOT NULL,
  UNIQUE (kernel, configuration),
  CHECK ((answer IS NULL) <> (error IS NULL))
);

CREATE TABLE finding (
  unit INTEGER NOT NULL REFERENCES unit ON DELETE CASCADE,
  function TEXT NOT NULL,
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  exit TEXT NOT NULL,
  exit_by TEXT NOT NULL,
  needed TEXT NOT NULL,
  source TEXT NOT NULL
);

-- The JSON object that the command for one kernel prints, compressed with zlib. Apart from the units, so that
-- these are quick to read.
CREATE TABLE result (
  unit INTEGER PRIMARY KEY REFERENCES unit ON DELETE CASCADE,
  json BLOB NOT NULL
);
