import type { Belonging } from '../identity/belonging';
import type { Prover } from '../prove/prover';
import type { Systems } from '@ovn-steward/systems/systems';
import type { ControllerWatch } from '../gate/controller-seen';
import type { LedgerWriter } from './ledger-writer';
import type { HoldCheck } from '../gate/hold-check';
import type { Unproven } from './unproven';

/** What everybody who works on one cluster needs. */
export interface ClusterWork {
  /** Each write to them verifies their identity first (`guardedSystems`). */
  readonly systems: Systems;
  readonly belonging: Belonging;
  readonly unproven: Unproven;
  readonly prover: Prover;
  readonly ledger: LedgerWriter;
  /** Resolves when everything written into the ledger is acknowledged by the log. */
  readonly publish: (signal: AbortSignal) => Promise<void>;
  /** @throws Failure `log-partition-lost` when the cluster is another executor's now. */
  readonly fence: (signal: AbortSignal) => Promise<void>;
  /** Read right before each write, whatever it is for. */
  readonly holds: HoldCheck;
  /** Why a finding is in doubt, by its newest record, as far as this executor reads any. */
  readonly doubtOf: (finding: string) => string | undefined;
  /** Called right before what a controller has to finish is sent. */
  readonly controller: ControllerWatch;
  /** How old a proof may be when it is acted on; milliseconds. */
  readonly proofAgeMs: number;
}
