import {
  type ClusterView,
  type Expectation,
  type Picture,
  type Readiness,
  readinessOf,
} from '@ovn-steward/analyzer';
import type { NotifierStatus } from '@ovn-steward/notifier';
import type { Access } from '@ovn-steward/shared/access';
import type { Deciding, StandingHold, UnsettledClaim } from '@ovn-steward/executor';

/** The token of the `ShownPipeline` the controllers answer from. */
export const SHOWN_PIPELINE = Symbol('SHOWN_PIPELINE');

/** The pipeline of `steward run`, as HTTP shows it. */
export interface ShownPipeline {
  readonly version: string;
  readonly cluster: string;
  readonly picture: () => Picture;
  readonly expected: Expectation;
  /** The sources' clock. */
  readonly clock: () => Date;
  /** The metrics' text; given what is to be shown. */
  readonly metrics: (shown: ClusterView) => Promise<string>;
  /** The holds in force; null while no executor follows what people decide. */
  readonly holds: () => readonly StandingHold[] | null;
  /** What the executor has under way and cannot bring to its end; nothing where none runs. */
  readonly unsettled: () => readonly UnsettledClaim[];
  /** What takes decisions down, and what was decided and done; undefined where no executor runs. */
  readonly deciding: () => Deciding | undefined;
  /** What the notifier does; null where none runs. */
  readonly notifier: () => NotifierStatus | null;
  /** Who may do what; undefined where nobody has to prove anything. */
  readonly access: Access | undefined;
  /** Called on each refusal. */
  readonly onRefused: (status: number, why: string) => void;
  /** What the pipeline failed with, once it did. */
  readonly failure: () => string | undefined;
}

export function readinessIn({ picture, expected, clock }: ShownPipeline): Readiness {
  const known = picture();
  return readinessOf(
    { streams: known.streams(), notInstalled: (kind) => known.world.notInstalled(kind) },
    expected,
    clock().getTime(),
  );
}

export const viewOf = (pipeline: ShownPipeline): ClusterView => ({
  cluster: pipeline.cluster,
  picture: pipeline.picture(),
  ready: readinessIn(pipeline).ready,
});
