import type { FindingClass } from '@ovn-steward/contracts/findings/finding';
import type { Keeping } from '@ovn-steward/contracts/control/keeping';
import type { Log } from '@ovn-steward/shared/log/log';
import type { RuleSwitches } from '@ovn-steward/judgement/switches';
import type { Entity } from '@ovn-steward/judgement/world/entity';
import type { OnApplied } from './on-applied';
import type { PublishedFinding } from './relay';

export interface PartitionOptions {
  readonly log: Log;
  /** Of the consumers that share the partitions. */
  readonly group: string;
  readonly grace: Readonly<Record<FindingClass, number>>;
  readonly clock: () => Date;
  /** Of the analyzer; what it publishes says so. */
  readonly version: string;
  readonly isProtected?: (entity: Entity) => boolean;
  /** Statements of people that Kube-OVN was uninstalled (`UNINSTALLED`), of any cluster. */
  readonly uninstalled?: readonly string[];
  /**
   * The setting `rules`; nothing is switched off, and graces are those of classes, unless given.
   */
  readonly switches?: RuleSwitches;
  /** What people suppressed in the cluster; undefined while unknown. Nothing unless given. */
  readonly suppressions?: (cluster: string) => Iterable<Keeping> | undefined;
  readonly onFindings?: (findings: readonly PublishedFinding[]) => void;
  /** Called with what changes did to a cluster that is judged change by change. Must not throw. */
  readonly onApplied?: OnApplied;
  /** Called with the reason, before the partition is read from its beginning. */
  readonly onRebuild?: (why: string) => void;
  /** Called when the status of sources could not be published; findings still are. */
  readonly onStatusUnpublished?: (error: unknown) => void;
  /** Records of other clusters are passed over. */
  readonly only?: string;
}
