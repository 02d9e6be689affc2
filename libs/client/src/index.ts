export type {
  Cause,
  Fact,
  Finding,
  Ownership,
  Reference,
  Remedy,
  Selector,
  Suppression,
} from './finding';
export { FindingsTable, type FindingChange } from './findings-table';
export { followFindings, type FollowOptions } from './follow-findings';
export { isOpen } from './is-open';
export {
  readFinding,
  readStatus,
  type KnownFinding,
  type ReadFinding,
  type ReadStatus,
  type TopicRecord,
} from './read-record';
export { knowledgeOf, type SourceKnowledge } from './source-knowledge';
export type { SourceStatus } from './source-status';
export {
  SqliteTable,
  type PositionedRecord,
  type SqliteDatabase,
  type Stream,
} from './sqlite-table';
