/**
 * The tables of `SqliteTable`. Those of findings are as in
 * `examples/consumers/schema.sql`; a later version adds to them and changes nothing.
 */
export const SCHEMA = `
CREATE TABLE IF NOT EXISTS finding (
  id TEXT PRIMARY KEY,
  topic_partition INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  state TEXT NOT NULL,
  document TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS source_status (
  id TEXT PRIMARY KEY,
  topic_partition INTEGER NOT NULL,
  document TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS position (
  topic_partition INTEGER PRIMARY KEY,
  next INTEGER NOT NULL,
  at INTEGER NOT NULL DEFAULT (CAST(strftime('%s', 'now') AS INTEGER))
);
CREATE TABLE IF NOT EXISTS status_position (
  topic_partition INTEGER PRIMARY KEY,
  next INTEGER NOT NULL,
  at INTEGER NOT NULL DEFAULT (CAST(strftime('%s', 'now') AS INTEGER))
);
CREATE TABLE IF NOT EXISTS poison (
  topic_partition INTEGER NOT NULL,
  next INTEGER NOT NULL,
  why TEXT NOT NULL,
  PRIMARY KEY (topic_partition, next)
);
CREATE VIEW IF NOT EXISTS open_finding AS
  SELECT * FROM finding WHERE state NOT IN ('resolved', 'suppressed');
`;
