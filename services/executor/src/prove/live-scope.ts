import type { Entity } from '@ovn-steward/judgement/world/entity';
import { parentsOf } from '@ovn-steward/judgement/world/ovn-rows';
import { scopeOf } from '@ovn-steward/judgement/kube-ovn/scope-of';
import { vpcOf, vpcOfSubnet } from '@ovn-steward/judgement/kube-ovn/vpc-of';
import type { QueryingWorld } from './querying-world';

/** Where something lies; null where it is not known. */
export interface LiveScope {
  readonly vpc: string | null;
  readonly subnet: string | null;
}

/**
 * The subnet the subject says it lies in, and its VPC (`vpcOf`). Routers are read only where there
 * is no such subnet. A proof does not rest on it: with each address that goes, the controller
 * writes another count into the subnet's status, and the next removal there would be refused.
 */
export function scopeIn(world: QueryingWorld, subject: Entity): LiveScope {
  const own = scopeOf(subject);
  const subnet = own?.subnet ?? null;
  const [found] = subnet === null ? [] : world.glance('Subnet', subnet);
  if (found) {
    const ofSubnet = vpcOfSubnet((found as Entity<'Subnet'>).object.spec);
    return { subnet, vpc: vpcOf(own, { ofSubnet }) };
  }
  const routers =
    subject.source === 'ovn-nb'
      ? parentsOf(subject).filter((it) => it.kind === 'Logical_Router')
      : [];
  const router =
    routers.length === 1 ? world.entity('Logical_Router', routers[0]!.uid)?.name : undefined;
  return { subnet, vpc: vpcOf(own, { router }) };
}
