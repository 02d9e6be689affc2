import type { Entity } from '@ovn-steward/judgement/world/entity';
import { parentsOf } from '@ovn-steward/judgement/world/ovn-rows';
import type { ReadableWorld } from '@ovn-steward/judgement/world/readable';
import { scopeOf } from '@ovn-steward/judgement/world/scope-of';

/** Where something lies; null where nobody can say. */
export interface LiveScope {
  readonly vpc: string | null;
  readonly subnet: string | null;
}

/** The VPC of subnets that name none (Kube-OVN's `--cluster-router`). */
const DEFAULT_VPC = 'ovn-cluster';

/** The subnet the subject says it lies in, and the VPC by that subnet, else by what the subject or the router that holds it says. */
export function scopeIn(world: ReadableWorld, subject: Entity): LiveScope {
  const own = scopeOf(subject);
  const subnet = own?.subnet ?? null;
  const [object] = subnet === null ? [] : world.byKey('Subnet', subnet);
  if (object) return { subnet, vpc: (object as Entity<'Subnet'>).object.spec?.vpc || DEFAULT_VPC };
  const routers = subject.source === 'ovn-nb' ? parentsOf(subject).filter((it) => it.kind === 'Logical_Router') : [];
  const router = routers.length === 1 ? world.entity('Logical_Router', routers[0]!.uid)?.name : undefined;
  return { subnet, vpc: own?.vpc ?? (router || null) };
}
