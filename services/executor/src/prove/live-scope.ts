import type { Entity } from '@ovn-steward/judgement/world/entity';
import { parentsOf } from '@ovn-steward/judgement/world/ovn-rows';
import { scopeOf } from '@ovn-steward/judgement/kube-ovn/scope-of';
import { DEFAULT_VPC } from '@ovn-steward/shared/default-vpc';
import type { AskingWorld } from './asking-world';

/** Where something lies; null where nobody can say. */
export interface LiveScope {
  readonly vpc: string | null;
  readonly subnet: string | null;
}

/**
 * The subnet the subject says it lies in, and the VPC by that subnet, else by what the subject or the router that holds it says. A proof does
 * not rest on it: with each address that goes, the controller writes another count into the subnet's status, and the next removal there would be refused.
 */
export function scopeIn(world: AskingWorld, subject: Entity): LiveScope {
  const own = scopeOf(subject);
  const subnet = own?.subnet ?? null;
  const [object] = subnet === null ? [] : world.glance('Subnet', subnet);
  if (object) return { subnet, vpc: (object as Entity<'Subnet'>).object.spec?.vpc || DEFAULT_VPC };
  const routers =
    subject.source === 'ovn-nb'
      ? parentsOf(subject).filter((it) => it.kind === 'Logical_Router')
      : [];
  const router =
    routers.length === 1 ? world.entity('Logical_Router', routers[0]!.uid)?.name : undefined;
  return { subnet, vpc: own?.vpc ?? (router || null) };
}
