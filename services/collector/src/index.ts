export { createCollector, type Collector, type CollectorEvent, type CollectorOptions } from './collect';
export type { Publish } from './deliver';
export type { Mirror, MirrorEntry, MirrorWrite } from './mirror';
export { memoryMirror } from './mirror-memory';
export { sqliteMirror } from './mirror-sqlite';
export { publishToLog } from './publish-to-log';
export type { Observation, Source, UnavailableReason } from './source';
export { createOvnFileSource, type OvnFileOptions } from './sources/ovn/ovn-file';
export type { OvnDatabaseId } from './sources/ovn/selection';
