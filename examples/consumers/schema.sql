-- What every consumer of this folder keeps: findings as they stand, and how far each partition was read. Both change in one
-- transaction, so that a crash repeats records and neither loses nor invents one.
CREATE TABLE IF NOT EXISTS finding (
  id TEXT PRIMARY KEY,
  topic_partition INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  state TEXT NOT NULL,
  document TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS position (
  topic_partition INTEGER PRIMARY KEY,
  next INTEGER NOT NULL,
  at INTEGER NOT NULL DEFAULT (CAST(strftime('%s', 'now') AS INTEGER))
);
-- Tombstones are kept for 30 days. Who was away for longer may have missed one, and begins anew.
CREATE VIEW IF NOT EXISTS resumable AS
  SELECT * FROM position WHERE at > CAST(strftime('%s', 'now') AS INTEGER) - 30 * 86400;
CREATE TABLE IF NOT EXISTS poison (
  topic_partition INTEGER NOT NULL,
  next INTEGER NOT NULL,
  why TEXT NOT NULL,
  PRIMARY KEY (topic_partition, next)
);
-- Open is what is neither resolved nor suppressed. A state of a later version is open, too.
CREATE VIEW IF NOT EXISTS open_finding AS
  SELECT * FROM finding WHERE state NOT IN ('resolved', 'suppressed');
