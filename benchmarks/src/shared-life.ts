import type { Engine } from '@ovn-steward/judgement/engine/engine';
import type { Entity } from '@ovn-steward/judgement/world/entity';
import type { Step } from './pod-life';
import { changesFor } from './changes-for';

type Json = Readonly<Record<string, unknown>>;

function counted(
  entities: Iterable<Entity>,
  keysOf: (entity: Entity) => readonly string[],
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const entity of entities)
    for (const key of keysOf(entity)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** What thousands of ports, pods or addresses have in common, and a change of it. */
interface Shared {
  readonly kind: string;
  readonly of: string;
  readonly change: (object: Entity['object']) => Entity['object'];
  /** By name or uid, how much shares it. */
  readonly shares: ReadonlyMap<string, number>;
}

/** Sets one entry of a map, which has no other as its value. */
const entry =
  (column: string, key: string): Shared['change'] =>
  (object) => ({ ...object, [column]: { ...(object[column] as Json), [key]: 'x' } });

const ANY_ACL = '00000000-0000-4000-8000-00000000ac10';

/** As Kube-OVN does when a policy gets one more rule. */
const oneMoreAcl: Shared['change'] = (object) => ({
  ...object,
  acls: [...((object['acls'] ?? []) as string[]), ANY_ACL],
});

/** In all but the last, nothing that shares it is judged otherwise. */
function sharedIn({ world }: Engine): Shared[] {
  const addresses = counted(world.entities('IP'), (ip) => [
    String((ip.object['spec'] as Json)['subnet']),
  ]);
  const members = counted(
    world.entities('Logical_Switch_Port'),
    (it) => (it.object['_port_groups'] ?? []) as string[],
  );
  const pods = counted(world.entities('Pod'), (it) => [it.namespace ?? '']);
  const vips = counted(world.entities('Load_Balancer'), (it) =>
    Object.keys((it.object['vips'] ?? {}) as Json).map(() => it.uid),
  );
  return [
    {
      kind: 'switch changed',
      of: 'Logical_Switch',
      change: entry('other_config', 'mcast_snoop'),
      shares: addresses,
    },
    {
      kind: 'port group changed',
      of: 'Port_Group',
      change: oneMoreAcl,
      shares: members,
    },
    {
      kind: 'subnet changed',
      of: 'Subnet',
      change: entry('status', 'activateGateway'),
      shares: addresses,
    },
    {
      kind: 'namespace changed',
      of: 'Namespace',
      change: entry('metadata', 'creationTimestamp'),
      shares: pods,
    },
    {
      kind: 'load balancer changed',
      of: 'Load_Balancer',
      change: entry('options', 'hairpin_snat_ip'),
      shares: vips,
    },
    {
      kind: 'service changed',
      of: 'Service',
      change: entry('metadata', 'creationTimestamp'),
      shares: new Map(),
    },
    {
      kind: 'port group of another owner',
      of: 'Port_Group',
      change: entry('external_ids', 'type'),
      shares: members,
    },
  ];
}

/** The one that the most things share, as it is and changed. */
function largestOf(
  engine: Engine,
  { of, change, shares }: Shared,
): { readonly entity: Entity; readonly changed: Entity['object'] } {
  const sharing = ({ uid, name }: Entity): number => shares.get(uid) ?? shares.get(name) ?? 0;
  const entity = [...engine.world.entities(of)].reduce((one, other) =>
    sharing(other) > sharing(one) ? other : one,
  );
  return { entity, changed: change(entity.object) };
}

/** Changes each of what is shared the most, and changes it back, so many times. */
export function* sharedLife(engine: Engine, samples: number): Generator<Step> {
  const report = changesFor(engine);
  const shared = sharedIn(engine).map((it) => ({ kind: it.kind, ...largestOf(engine, it) }));
  for (let nth = 0; nth < samples; nth++) {
    for (const { kind, entity, changed } of shared) {
      yield { kind, change: report.put(entity, changed) };
      yield { kind, change: report.put(entity) };
    }
  }
}
