import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import type { GuardEvent } from '@ovn-steward/guard/guard-event';
import type { GateEvent } from '@ovn-steward/guard/pod-gates';
import type { Entity } from '@ovn-steward/judgement/world/entity';
import type { Log } from '@ovn-steward/shared/log/log';
import type { RefusedFor } from '@ovn-steward/shared/log/origin';
import type { StateFile } from '@ovn-steward/shared/log/state-file';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import type { Systems } from '@ovn-steward/systems/systems';
import type { ControlState } from '../control/control-state';
import type { Proposal } from '../findings/proposal';
import type { CaughtUp } from '../ledger/catch-up';
import type { Ledger } from '../ledger/ledger';
import type { WorkEvent } from './worker';

/** One cluster, and all that is needed to act on it. */
export interface ActOptions {
  readonly cluster: string;
  /** The cluster's. */
  readonly partition: number;
  readonly systems: Systems;
  readonly log: Log;
  readonly file: StateFile;
  readonly ledger: Ledger;
  readonly proposals: () => readonly Proposal[];
  /** Why a finding is in doubt, by its newest record; of none unless given. */
  readonly doubtOf?: (finding: string) => string | undefined;
  readonly settings: Settings['executor'];
  /** Carry out this plan and no other. */
  readonly onlyPlan?: string;
  /**
   * Under which name it says in the log which holds it respects; where records are signed, that of its
   * key. Without, it does not say it.
   */
  readonly heardAs?: string;
  readonly isProtected: (entity: Entity) => boolean;
  /** The setting `rules`; nothing is switched off unless given. */
  readonly rules?: Settings['rules'];
  /** Statements of people that Kube-OVN was uninstalled (`UNINSTALLED`); none unless given. */
  readonly uninstalled?: readonly string[];
  /** As in `ActionRunnerOptions`. */
  readonly proofsWithinMs?: number;
  /** @throws Failure `log-partition-lost` when the partition is another executor's now. */
  readonly fence: (signal: AbortSignal) => Promise<void>;
  readonly clock: () => Date;
  /** For metrics and logs; must not throw. */
  readonly onEvent: (event: ActEvent) => void;
}

export type ActEvent =
  | WorkEvent
  | GuardEvent
  | GateEvent
  | { readonly type: 'action'; readonly action: ActionRecord }
  | {
      readonly type: 'caught-up';
      readonly partition: number;
      readonly ledger: CaughtUp;
      readonly open: number;
    }
  /** `unread`: what people decide cannot be read. */
  | { readonly type: 'trouble'; readonly what: string; readonly unread?: true }
  /** What people decided is this from now on; undefined when it is followed no more. */
  | { readonly type: 'decided'; readonly state: ControlState | undefined }
  /** A record of that topic is ignored: it is not proven that an authorized author wrote it. */
  | { readonly type: 'refused'; readonly topic: string; readonly reason: RefusedFor };
