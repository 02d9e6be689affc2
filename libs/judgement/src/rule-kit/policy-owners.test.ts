import { object } from '../testing/builders';
import { world } from '../testing/world-builder';
import { POLICY_OWNER_KINDS, type PolicyReading } from '../kube-ovn/policy-readings';
import { absentOwners, presenceOf } from './policy-owners';
import { KindBits } from './declared-kinds';
import { View } from './view';

const text = (reading: PolicyReading): string =>
  reading.map((it) => `${it.kind} ${it.key}`).join(' + ');
const view = (given = world()) => new View(given.fold(), new KindBits(POLICY_OWNER_KINDS));
const both: PolicyReading = [
  { kind: 'Subnet', key: 'apps' },
  { kind: 'Node', key: 'w' },
];

describe('whether a reading is alive', () => {
  test('only while all its objects exist', () => {
    expect(presenceOf(both, view(world(object('Subnet', 'apps'), object('Node', 'w'))))).toBe(
      'present',
    );
    expect(presenceOf(both, view(world(object('Subnet', 'apps'))))).toBe('absent');
  });

  test('one absent object is enough, whatever is unknown', () => {
    expect(presenceOf(both, view(world().unlisted('Subnet')))).toBe('absent');
    expect(presenceOf(both, view(world(object('Node', 'w')).unlisted('Subnet')))).toBe('unknown');
  });
});

test('one absent object is named for each reading, each once', () => {
  const readings: PolicyReading[] = [
    [{ kind: 'Node', key: 'w' }],
    both,
    [{ kind: 'Node', key: 'w' }],
  ];
  expect(text(absentOwners(readings, view()))).toBe('Node w + Subnet apps');
  expect(text(absentOwners(readings, view(world(object('Subnet', 'apps')))))).toBe('Node w');
});
