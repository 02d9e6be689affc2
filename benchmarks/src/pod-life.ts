import type { Engine } from '@ovn-steward/judgement/engine/engine';
import type { Entity } from '@ovn-steward/judgement/world/entity';
import type { Change } from '@ovn-steward/contracts/changes/change';
import { type ChangesFor, changesFor } from './changes-for';

/** One change, and what sort of change it is. */
export interface Step {
  readonly kind: string;
  readonly change: Change;
}

type Json = Readonly<Record<string, unknown>>;

const changed = (entity: Entity, column: string, values: Json): Entity['object'] => ({
  ...entity.object,
  [column]: { ...(entity.object[column] as Json), ...values },
});

/**
 * Everything that happens to a pod, its port and its IP object, one after the other; at the end
 * they are what they were.
 */
function* podLife(report: ChangesFor, pod: Entity, port: Entity, ip: Entity): Generator<Step> {
  const elsewhere = '10.95.255.254';
  yield { kind: 'pod deleted', change: report.delete(pod) };
  yield { kind: 'pod created', change: report.put(pod) };
  yield {
    kind: 'pod changed',
    change: report.put(pod, changed(pod, 'status', { phase: 'Pending' })),
  };
  yield { kind: 'pod changed', change: report.put(pod) };
  yield { kind: 'port removed', change: report.delete(port) };
  yield { kind: 'port added', change: report.put(port) };
  yield {
    kind: 'port changed',
    change: report.put(port, { ...port.object, addresses: [`0a:00:00:00:00:01 ${elsewhere}`] }),
  };
  yield { kind: 'port changed', change: report.put(port) };
  yield { kind: 'IP removed', change: report.delete(ip) };
  yield { kind: 'IP added', change: report.put(ip) };
  yield {
    kind: 'IP changed',
    change: report.put(ip, changed(ip, 'spec', { ipAddress: elsewhere, v4IpAddress: elsewhere })),
  };
  yield { kind: 'IP changed', change: report.put(ip) };
}

interface Pod {
  readonly pod: Entity;
  readonly port: Entity;
  readonly ip: Entity;
}

/** So many pods that have a port and an IP object, from all over the world. */
function podsOf(engine: Engine, samples: number): Pod[] {
  const { world } = engine;
  const found: Pod[] = [];
  const every = Math.max(1, Math.floor(world.count('Pod') / samples));
  let nth = 0;
  for (const pod of world.entities('Pod')) {
    if (nth++ % every !== 0) continue;
    const name = `${pod.name}.${pod.namespace}`;
    const port = world.byKey('Logical_Switch_Port', name)[0];
    const ip = world.byKey('IP', name)[0];
    if (port && ip) found.push({ pod, port, ip });
  }
  return found;
}

/** Lets so many pods, from all over the world, live through all that can happen to them. */
export function* podLives(engine: Engine, samples: number): Generator<Step> {
  const report = changesFor(engine);
  for (const { pod, port, ip } of podsOf(engine, samples)) yield* podLife(report, pod, port, ip);
}
