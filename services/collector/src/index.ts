export {
  createCollector,
  type Collector,
  type CollectorEvent,
  type CollectorOptions,
  type PublishedEvent,
} from './collect/collect';
export { collectIntoLog, type CollectIntoLogOptions } from './collect/collect-into-log';
export type { Publish, PublishedChanges as Published } from './stream/deliver-step';
export { runAsLeader } from './lease/run-as-leader';
export type { LogMirror, Mirror, MirrorEntry, MirrorWrite, StreamOwner } from './mirror/mirror';
export { memoryMirror } from './mirror/mirror-memory';
export { sqliteMirror } from './mirror/mirror-sqlite';
export { publishToLog } from './collect/publish-to-log';
export type { Observation, Source, UnavailableReason } from './source-kit/source';
export { createOvnFileSource, type OvnFileOptions } from './sources/ovn/ovn-file';
export { createOvnHistorySource, type OvnHistoryOptions } from './sources/ovn/ovn-history';
export { createOvnSource, type OvnLiveOptions } from './sources/ovn/ovn-live';
export { kubernetesRecording } from './sources/recording/kubernetes-recording';
export { createKubernetesSource } from './sources/kubernetes/kubernetes-source';
export { replayRecording } from './sources/recording/replay-recording';
export { writeRecording } from './collect/recording-writer';
export { COLLECTOR_METRICS, COLLECTOR_SERVICE_METRICS, countCollector } from './collect/metrics';
export { readingOf, type StreamReading } from './service/reading';
export { openMirror } from './service/open-mirror';
export type { SourceRequest, SourceType, Where } from './source-kit/source-type';
export { ovnFile } from './sources/ovn/ovn-file.source';
export { formsOf, sourceTypeOf } from './sources/source-type-of';
