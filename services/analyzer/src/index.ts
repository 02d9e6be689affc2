export { Analyzer } from './partition/analyzer';
export type { AnalyzedBatch, AnalyzerEvent, AnalyzerOptions } from './partition/analyzer-options';
export type { AnalyzedCluster as Picture } from './partition/analyzed-cluster';
export type { PublishedFinding } from './partition/relay';
export { readChange } from './changes/read-change';
export { Checkpoint } from './store/checkpoint';
export { type StreamFreshness, readCheckpoint } from './store/read-checkpoint';
export { restoreWorld } from './store/restore-world';
export type { CheckpointContents } from './store/read-checkpoint';
export {
  ANALYZER_METRICS,
  ANALYZER_SERVICE_METRICS,
  countBatch,
  showPictures,
} from './service/metrics';
export { SCORE_METRICS } from './service/score-metrics';
export { SUBNET_METRICS } from './service/subnet-metrics';
export { type GradingAnalyzer, openAnalyzer } from './service/open-analyzer';
export { type KnownContents, auditDocument, documentOf } from './report/audit-document';
export { NEEDED_KINDS, auditSources as sourcesOf } from './status/audit-sources';
export type { ClusterView } from './report/findings-page';
export { type Expectation, readinessOf, STALE_AFTER_MS } from './report/readiness';
export { type OutlookReport, type OutlookReports, outlookReports } from './subnets/outlook-reports';
export { type SubnetReport, subnetReports } from './subnets/subnet-reports';
export type { SubnetAddresses, SubnetsPage } from './subnets/schemas';
export type { Sources } from './sources/schemas';
export { clusterStatus } from './report/cluster-status';
export { ClusterStatus, FindingsPage, FindingsQuery, Readiness } from './report/schemas';
