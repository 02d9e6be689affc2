export { createExecutor } from './executor';
export type { ExecutedBatch, Executor, ExecutorEvent, ExecutorOptions, Followed } from './executor';
export { EXECUTOR_SERVICE_METRICS } from './metrics';
export type { Proposal } from './proposal';
export { openExecutorFile } from './store/executor-file';
export type { ExecutorFile } from './store/executor-file';
export { ExecutorStore } from './store/executor-store';
export type { ProposalCount, ProposalFilter } from './store/executor-store';
