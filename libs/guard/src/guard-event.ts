import type { WaitingVpc } from './waiting';

/** What a guard of Vpcs did and saw, for metrics and logs. */
export type GuardEvent =
  | { readonly type: 'guarded'; readonly vpc: string; readonly did: 'add' | 'take-off' }
  /** All that wait, whenever that changes; none when the guard ends and some did. */
  | { readonly type: 'guard-waits'; readonly waiting: readonly WaitingVpc[] }
  /**
   * How many requests each policy of ours refused, by its id, as counted by the API server that
   * answered.
   */
  | { readonly type: 'guard-denials'; readonly denials: ReadonlyMap<string, number> }
  | { readonly type: 'guard-failed'; readonly error: string };

/** What is said where no Event could be written. The same each time, so that logs say it once. */
export const NO_EVENTS =
  'No Event could be written about what waits. It needs the right to create events of events.k8s.io (deploy/rbac-guard.yaml).';
