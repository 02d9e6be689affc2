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

/** What thousands of ports, pods or addresses have in common, and a field that may change without meaning anything to them. */
interface Shared {
  readonly kind: string;
  readonly of: string;
  readonly field: readonly [column: string, key: string];
  /** By name or uid, how much shares it. */
  readonly shares: ReadonlyMap<string, number>;
}

function sharedIn({ world }: Engine): Shared[] {
  const addresses = counted(world.entities('IP'), (it) => [
    String((it.object['spec'] as Json)['subnet']),
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
      field: ['other_config', 'mcast_snoop'],
      shares: addresses,
    },
    {
      kind: 'port group changed',
      of: 'Port_Group',
      field: ['external_ids', 'type'],
      shares: members,
    },
    {
      kind: 'subnet changed',
      of: 'Subnet',
      field: ['status', 'activateGateway'],
      shares: addresses,
    },
    {
      kind: 'namespace changed',
      of: 'Namespace',
      field: ['metadata', 'creationTimestamp'],
      shares: pods,
    },
    {
      kind: 'load balancer changed',
      of: 'Load_Balancer',
      field: ['options', 'hairpin_snat_ip'],
      shares: vips,
    },
    {
      kind: 'service changed',
      of: 'Service',
      field: ['metadata', 'creationTimestamp'],
      shares: new Map(),
    },
  ];
}

/** The one that the most things share, as it is and changed. */
function largestOf(
  engine: Engine,
  { of, field: [column, key], shares }: Shared,
): { readonly entity: Entity; readonly changed: Entity['object'] } {
  const sharing = ({ uid, name }: Entity): number => shares.get(uid) ?? shares.get(name) ?? 0;
  const entity = [...engine.world.entities(of)].reduce((one, other) =>
    sharing(other) > sharing(one) ? other : one,
  );
  return {
    entity,
    changed: { ...entity.object, [column]: { ...(entity.object[column] as Json), [key]: 'x' } },
  };
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
