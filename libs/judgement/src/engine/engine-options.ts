import type { Finding, FindingClass } from '@ovn-steward/contracts/findings/finding';
import type { Rule } from '../rule-kit/rule';
import type { SuppressedBy } from './suppression';
import type { Entity } from '../world/entity';
import type { MovedEntity, World } from '../world/world';

export interface EngineOptions {
  readonly cluster: string;
  readonly rules: readonly Rule[];
  readonly world: World;
  /** Milliseconds a finding of the class must have been true before it is confirmed. */
  readonly grace: Readonly<Record<FindingClass, number>>;
  /** Where the settings say another grace than that of the class; milliseconds. */
  readonly graceOf?: (finding: Finding) => number | undefined;
  /** What is suppressed, as of each call; nothing unless given. */
  readonly suppressedBy?: SuppressedBy;
  /** The user's allow-list: what matches is never reported as garbage or leak. */
  readonly isProtected?: (entity: Entity) => boolean;
  /** Statements of people that Kube-OVN was uninstalled (`UNINSTALLED`); none unless given. */
  readonly uninstalled?: readonly string[];
}

/** What changes did: entities moved, and findings changed in their newest revision. */
export interface AppliedChanges {
  readonly moved: readonly MovedEntity[];
  readonly findings: readonly Finding[];
}
