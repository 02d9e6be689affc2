import { type Built, pod, port } from '../testing/builders';
import { world } from '../testing/world-builder';
import type { Entity } from '../world/entity';
import { podsOfPort } from './pods-of-port';
import { KindBits } from './declared-kinds';
import { View } from './view';

const served = (key: string, machine = '', over: Record<string, unknown> = {}): Built<'Pod'> =>
  pod(key, {
    metadata: {
      annotations: {
        'ovn.kubernetes.io/allocated': 'true',
        'ovn.kubernetes.io/logical_switch': 'apps',
        ...(machine === '' ? {} : { 'ovn.kubernetes.io/virtualmachine': machine }),
      },
    },
    ...over,
  });
const of = (name: string, ...pods: Built[]): string[] => {
  const folded = world(port(name), ...pods).fold();
  const entity = folded.entity('Logical_Switch_Port', `Logical_Switch_Port:${name}`);
  return podsOfPort(
    entity as Entity<'Logical_Switch_Port'>,
    new View(folded, new KindBits(['Pod'])),
  )
    .map((it) => it.name)
    .sort();
};

test('is the pod that it names', () =>
  expect(of('web-0.shop', served('shop/web-0'), served('shop/web-1'))).toEqual(['web-0']));

test('is each launcher of the machine that it names', () =>
  expect(
    of('vm-0.shop', served('shop/launcher-a', 'vm-0'), served('shop/launcher-b', 'vm-0')),
  ).toEqual(['launcher-a', 'launcher-b']));

test('is a launcher called as its machine, once', () =>
  expect(of('vm-0.shop', served('shop/vm-0', 'vm-0'))).toEqual(['vm-0']));

test('is no pod that has ended, or that has another port', () => {
  expect(of('web-0.shop', served('shop/web-0', '', { status: { phase: 'Failed' } }))).toEqual([]);
  expect(of('web-0.shop', served('shop/web-0', 'vm-0'))).toEqual([]);
});

test('is no pod of a port that names none', () => {
  const folded = world(port('web-0.shop', { external_ids: {} }), served('shop/web-0')).fold();
  const entity = folded.entity('Logical_Switch_Port', 'Logical_Switch_Port:web-0.shop');
  expect(
    podsOfPort(entity as Entity<'Logical_Switch_Port'>, new View(folded, new KindBits(['Pod']))),
  ).toEqual([]);
});
