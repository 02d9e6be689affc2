export {
  createCollector,
  type Collector,
  type CollectorEvent,
  type CollectorOptions,
  type PublishedEvent,
} from './collect';
export { collectIntoLog, type CollectIntoLogOptions } from './collect-into-log';
export type { Publish, Published } from './deliver';
export { runAsLeader } from './lease/run-as-leader';
export type { LogMirror, Mirror, MirrorEntry, MirrorWrite, StreamOwner } from './mirror';
export { memoryMirror } from './mirror-memory';
export { sqliteMirror } from './mirror-sqlite';
export { publishToLog } from './publish-to-log';
export type { Observation, Source, UnavailableReason } from './source';
export { createOvnFileSource, type OvnFileOptions } from './sources/ovn/ovn-file';
export { createOvnHistorySource, type OvnHistoryOptions } from './sources/ovn/ovn-history';
export { createOvnSource, type OvnLiveOptions } from './sources/ovn/ovn-live';
export { kubernetesRecording } from './sources/recording/kubernetes-recording';
export { createKubernetesSource } from './sources/kubernetes/kubernetes-source';
export { playOn } from './sources/recording/play-on';
export { writeRecording } from './recording-writer';
export { COLLECTOR_METRICS, COLLECTOR_SERVICE_METRICS, countCollector } from './metrics';
export { kubernetesServer, ovnServers } from './sources/live-sources';
