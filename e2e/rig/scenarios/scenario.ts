import { NO_GRACE_SETTINGS } from '@ovn-steward/judgement/testing/grace';
import type { Shell } from '../../support/shell';
import type { NetworkState } from '../network-state';
import type { Rig } from '../rig';

/** Where a scenario takes place: a healthy cluster, which it leaves as healthy as it was. */
export interface Stage {
  readonly rig: Rig;
  /** The healthy cluster, as it is to be again in the end. */
  readonly healthy: NetworkState;
  /** A shell whose commands act under the chart's account; with these settings besides. */
  shell(settings?: Readonly<Record<string, unknown>>): Shell;
  /** Keeps a figure for the report. */
  measured(what: string, figure: number): void;
}

export interface Scenario {
  /** Kebab case. */
  readonly name: string;
  /** One sentence. */
  readonly about: string;
  /** Why it cannot be played here; undefined where it can. */
  missing?(): string | undefined;
  /** What went wrong, a line each. */
  run(stage: Stage): Promise<readonly string[]>;
}

/** Every finding as soon as it is true, no wait after a start of the controller, and no hurry. */
export const AT_ONCE = {
  grace: NO_GRACE_SETTINGS,
  // Several rigs share a machine: how fast it proves is not tried here.
  executor: { yield: { afterLease: '0s' }, proofAge: '30s' },
};

/** Of the controller, in seconds: often, so that what is to go goes soon. */
export const COLLECTS_EVERY = 20;
