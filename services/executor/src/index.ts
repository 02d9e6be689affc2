export { actionOf } from './actions/registry';
export type { RowDifference } from './backup/difference';
export { takePicture } from './backup/picture';
export {
  carryOut,
  isEmpty,
  type Restored,
  type RestoreView,
  selectedRows,
  viewRestore,
} from './backup/restore';
export type { RestorePlan } from './backup/restore-plan';
export { removeOldBackups } from './backup/retention';
export { type BackupSchedule, scheduleBackups } from './backup/schedule-backups';
export { type Backup, takeBackup } from './backup/take-backup';
export type { ControlState } from './control/control-state';
export { decidedIn, decisionsReader } from './control/decided-in';
export { StandingHold, standingHolds } from './control/standing-holds';
export { type WhoHeard, whoHeard } from './control/who-heard';
export { followControl } from './control/follow-control';
export { tellHeard } from './control/tell-heard';
export { emptyInbox, moveInbox, openInbox } from './control/inbox';
export { createExecutor } from './executor';
export type { ExecutedBatch, Executor, ExecutorEvent, ExecutorOptions, Followed } from './executor';
export { readDenials } from './guard/denials';
export type { GuardEvent } from './guard/guard-event';
export { followGates } from './guard/follow-gates';
export { installPolicy, removePolicy } from './guard/install';
export { manifestText } from './guard/manifest-text';
export { type GateEvent, heldPods, liftAllGates, podGates } from './guard/pod-gates';
export { POLICIES } from './guard/policies/registry';
export type { Policy } from './guard/policy';
export { type FreedVpc, freeVpcs, guardedVpcs } from './guard/free-vpcs';
export { guardVpcs } from './guard/guard-vpcs';
export { watchDenials } from './guard/watch-denials';
export { type Standing, standingOf } from './guard/standing';
export { readWaiting, type WaitingVpc } from './guard/waiting';
export { foreignTurn, type Whose } from './identity/foreign-turn';
export type { Kubernetes } from './kubernetes/kubernetes';
export { readAction } from './ledger/read-action';
export { liveKubernetes } from './kubernetes/live-kubernetes';
export { liveSystems } from './live-systems';
export { EXECUTOR_METRICS, EXECUTOR_SERVICE_METRICS } from './metrics';
export { liveNorthbound } from './northbound/live-northbound';
export { buildPlan } from './plan/build';
export { isRipe } from './plan/plan';
export type { Plan, PlanEntry } from './plan/plan';
export { entryText, planText, readPlan } from './plan/plan-text';
export { verifyPlan } from './plan/verify';
export type { Proposal } from './proposal';
export { createProver } from './prove/prover';
export { readFinding } from './read-finding';
export { EXECUTOR_FILE, runEmbedded } from './run-embedded';
export { namesCluster } from './service/acting-of';
export { UnsettledClaim } from './service/unsettled-view';
export { countExecutor, type ExecutorNews, type ExecutorReading } from './service/count-executor';
export { openExecutorFile } from './store/executor-file';
export type { ExecutorFile } from './store/executor-file';
export { ExecutorStore } from './store/executor-store';
export type { ProposalCount, ProposalFilter } from './store/executor-store';
export { Ledger } from './store/ledger';
export { LedgerIdentity } from './store/ledger-identity';
export { ledgerOfLog, readLedger } from './store/read-ledger';
export type { LedgerContents } from './store/read-ledger';
export type { Systems } from './systems';
export { type ActEvent, type ActOptions, withWorker } from './work/act';
export { foresee, type Foreseen } from './work/foresee';
export { foreseenText } from './work/foreseen-text';
export { isUnderWay } from './work/unsettled';
export { runPlan, type RunPlanOptions } from './work/run-plan';
