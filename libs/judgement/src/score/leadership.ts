import type { Entity } from '../world/entity';

const LEASE = 'kube-ovn-controller';

const holderIn = (entity: Entity | undefined): string =>
  (entity?.object as { spec?: { holderIdentity?: string } } | undefined)?.spec?.holderIdentity ??
  '';

/** Whether a controller of Kube-OVN took the lead: most of its collection is done at its start. */
export const leadershipIn = (before: Entity | undefined, after: Entity | undefined): boolean =>
  after?.kind === 'Lease' &&
  after.name === LEASE &&
  holderIn(after) !== '' &&
  holderIn(after) !== holderIn(before);
