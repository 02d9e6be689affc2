export { REMADE_KINDS } from './action-kit/remade';
export { actionOf, EXECUTOR_ACTIONS } from './actions/registry';
export { StandingDecisions, standingDecisions } from './control/standing-decisions';
export { type ControlState, keptAt } from './control/control-state';
export { decidedIn, decisionsReader } from './control/decided-in';
export { StandingHold, standingHolds } from './control/standing-holds';
export { type WhoHeard, whoHeard } from './control/who-heard';
export { followControl } from './control/follow-control';
export { HeardPublisher } from './control/publish-heard';
export { emptyInbox, moveInbox, openInbox } from './control/inbox';
export { appendDecisions } from './decide/append-decisions';
export { commonIdentity } from './decide/common-identity';
export { createExecutor } from './consume/executor';
export type {
  ExecutedBatch,
  Executor,
  ExecutorEvent,
  ExecutorOptions,
  Followed,
} from './consume/executor';
export { foreignTurn, type Whose } from './identity/foreign-turn';
export { type GuardRefused, pairGate } from './identity/pair-gate';
export { readAction } from './ledger/read-action';
export { EXECUTOR_METRICS, EXECUTOR_SERVICE_METRICS } from './service/metrics';
export { buildPlan } from './plan/build';
export { isRipe } from './plan/plan';
export type { Plan, PlanEntry } from './plan/plan';
export { entryText, planText, readPlan } from './plan/plan-text';
export { verifyPlan } from './plan/verify';
export type { Proposal } from './findings/proposal';
export { createProver } from './prove/prover';
export { type Deciding, runEmbedded } from './service/run-embedded';
export { namesCluster } from './service/acting-of';
export { UnsettledClaim } from './service/unsettled-view';
export {
  countExecutor,
  type ExecutorActivity,
  type ExecutorReading,
} from './service/count-executor';
export { EXECUTOR_FILE } from './store/executor-file';
export type { ActionFilter } from './store/action-filter';
export { ExecutorStore } from './store/executor-store';
export type { ProposalCount, ProposalFilter } from './store/executor-store';
export { Ledger } from './ledger/ledger';
export { LedgerIdentity } from './ledger/ledger-identity';
export { followLedger, ledgerOfLog, readLedger } from './ledger/read-ledger';
export type { LedgerReader } from './ledger/ledger-reader';
export { withWorker } from './work/act';
export type { ActEvent, ActOptions } from './work/act-options';
export { foresee, type Foreseen } from './work/foresee';
export { foreseenText } from './work/foreseen-text';
export { isUnderWay } from './work/unsettled';
export { runPlan, type RunPlanOptions } from './work/run-plan';
