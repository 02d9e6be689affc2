import type { Engine } from '@ovn-steward/judgement/engine/engine';
import type { AppliedChanges } from '@ovn-steward/judgement/engine/engine-options';

/** What is called with what changes did to a cluster. */
export type OnApplied = (engine: Engine, applied: AppliedChanges) => void;
