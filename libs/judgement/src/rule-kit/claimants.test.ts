import { object, pod, statefulSet } from '../testing/builders';
import { world } from '../testing/world-builder';
import type { TestWorld } from '../testing/world-builder';
import type { Claimant } from './claimants';
import { CLAIMANT_KINDS, claimsOf, RARE_CLAIMANT_KINDS, workloadClaimants } from './claimants';
import { KindBits } from './declared-kinds';
import { View } from './view';

const request = (claimants: readonly Claimant[], given: TestWorld) =>
  claimsOf(
    claimants,
    new View(given.fold(), new KindBits([...CLAIMANT_KINDS, ...RARE_CLAIMANT_KINDS])),
  );
const keys = (claimants: readonly Claimant[]) => claimants.map((it) => `${it.kind} ${it.key}`);

describe('who may own what is named after a workload', () => {
  test.each([
    [
      'web-0',
      [
        'Pod shop/web-0',
        'VirtualMachine shop/web-0',
        'VirtualMachineInstance shop/web-0',
        'StatefulSet shop/web',
      ],
    ],
    [
      'vpc-nat-gw-gw-0',
      [
        'Pod shop/vpc-nat-gw-gw-0',
        'VirtualMachine shop/vpc-nat-gw-gw-0',
        'VirtualMachineInstance shop/vpc-nat-gw-gw-0',
        'StatefulSet shop/vpc-nat-gw-gw',
        'VpcNatGateway nat-gw-gw',
        'VpcNatGateway gw-gw',
        'VpcNatGateway gw',
      ],
    ],
    [
      'edge-a-0',
      [
        'Pod shop/edge-a-0',
        'VirtualMachine shop/edge-a-0',
        'VirtualMachineInstance shop/edge-a-0',
        'StatefulSet shop/edge-a',
        'VpcNatGateway a',
      ],
    ],
    ['web', ['Pod shop/web', 'VirtualMachine shop/web', 'VirtualMachineInstance shop/web']],
    [
      'a.b-12',
      [
        'Pod shop/a.b-12',
        'VirtualMachine shop/a.b-12',
        'VirtualMachineInstance shop/a.b-12',
        'StatefulSet shop/a.b',
      ],
    ],
    [
      'web-01',
      ['Pod shop/web-01', 'VirtualMachine shop/web-01', 'VirtualMachineInstance shop/web-01'],
    ],
    [
      'web--1',
      [
        'Pod shop/web--1',
        'VirtualMachine shop/web--1',
        'VirtualMachineInstance shop/web--1',
        'StatefulSet shop/web-',
      ],
    ],
  ])('%s', (name, expected) => expect(keys(workloadClaimants('shop', name))).toEqual(expected));
});

describe('a set wants an ordinal', () => {
  test.each([
    ['the last of three', { replicas: 3 }, 2, true],
    ['one beyond three', { replicas: 3 }, 3, false],
    ['none of zero', { replicas: 0 }, 0, false],
    ['the first, when no count is given', {}, 0, true],
    ['the second, when no count is given', {}, 1, false],
    ['one below the start', { replicas: 2, ordinals: { start: 5 } }, 4, false],
    ['the first at the start', { replicas: 2, ordinals: { start: 5 } }, 5, true],
    ['one beyond the start', { replicas: 2, ordinals: { start: 5 } }, 7, false],
    ['any, when the count cannot be read', { replicas: 'many' }, 99, true],
    ['any, when the start cannot be read', { replicas: 1, ordinals: { start: 0.5 } }, 99, true],
  ])('%s', (_, spec, ordinal, expected) => {
    const { by, declined } = request(
      workloadClaimants('shop', `web-${ordinal}`),
      world(object('StatefulSet', 'shop/web', { spec })),
    );
    expect([by?.kind, ...declined.map((it) => it.kind)]).toEqual(
      expected ? ['StatefulSet'] : [undefined, 'StatefulSet'],
    );
  });
});

describe('the world is asked about each', () => {
  const claimants = workloadClaimants('shop', 'web-0');

  test('the first that claims settles it', () => {
    expect(
      request(
        claimants,
        world(pod('shop/web-0'), statefulSet('shop/web', 1)).unlisted('VirtualMachine'),
      ),
    ).toMatchObject({ by: { kind: 'Pod' }, unknown: [], absent: [], declined: [] });
  });

  test('one that exists without claiming, and those that do not exist, are distinguished', () => {
    const claims = request(claimants, world(statefulSet('shop/web', 0)));
    expect(claims.declined.map((it) => it.kind)).toEqual(['StatefulSet']);
    expect(keys(claims.absent)).toEqual([
      'Pod shop/web-0',
      'VirtualMachine shop/web-0',
      'VirtualMachineInstance shop/web-0',
    ]);
  });

  test('nobody is asked twice', () =>
    expect(keys(request([...claimants, ...claimants], world()).absent)).toHaveLength(4));

  test('one of a kind nobody listed cannot be ruled out', () => {
    expect(request(claimants, world().unlisted('VirtualMachine'))).toMatchObject({
      unknown: ['VirtualMachine shop/web-0'],
    });
  });

  test('one that is held counts even when its kind is not listed', () => {
    expect(request(claimants, world(pod('shop/web-0')).unlisted('Pod')).by?.kind).toBe('Pod');
  });

  test('nobody claims when all are proven absent', () => {
    const claims = request(claimants, world());
    expect(claims.by).toBeUndefined();
    expect(claims.absent).toHaveLength(4);
  });
});
