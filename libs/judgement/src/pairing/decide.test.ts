import {
  decidePairing,
  NO_PAIRING_COUNTS,
  type PairingCounts,
  type PairingState,
  type Readable,
} from './decide';

const RECORDED: Readable = { pods: true, nodes: true, networks: true, recorded: true };
const LIVING: Readable = { ...RECORDED, networks: false, recorded: false };

const decided = (
  counts: Partial<PairingCounts>,
  readable: Partial<Readable> = {},
  emptied: readonly string[] = [],
): PairingState =>
  decidePairing({ ...NO_PAIRING_COUNTS, ...counts }, new Set(emptied), { ...RECORDED, ...readable })
    .is;

type Case = [title: string, is: PairingState, ...Parameters<typeof decided>];

describe('by addresses', () => {
  test.each<Case>([
    ['nothing speaks', 'unknown', {}],
    ['one random address agrees', 'paired', { agree: 1, random: 1 }],
    ['what agrees was given by somebody', 'unknown', { agree: 9 }],
    ['one disagrees, and nothing agrees', 'mispaired', { disagree: 1 }],
    ['as many disagree as agree', 'mispaired', { agree: 5, disagree: 5, random: 5 }],
    [
      'more nodes disagree than agree, whatever the pods say',
      'mispaired',
      { agree: 99, random: 99, nodesAgree: 1, disagree: 2, nodesDisagree: 2 },
    ],
    [
      'as many nodes disagree as agree, and few of all',
      'paired',
      { agree: 99, random: 99, nodesAgree: 1, disagree: 1, nodesDisagree: 1 },
    ],
    ['two of few disagree', 'paired', { agree: 3, disagree: 2, random: 3 }],
    ['three of few disagree', 'unknown', { agree: 59, disagree: 3, random: 59 }],
    ['three of sixty disagree', 'paired', { agree: 60, disagree: 3, random: 60 }],
    ['each side has ports the other lacks', 'mispaired', { nodesMissed: 1, portless: 1 }],
    ['the same of pods', 'mispaired', { podsMissed: 1, portless: 1 }],
    ['one side alone has', 'unknown', { podsMissed: 1 }],
    ['the other alone has', 'unknown', { portless: 1 }],
  ])('%s: %s', (_, is, counts) => expect(decided(counts)).toBe(is));
});

describe('where a kind is not known completely', () => {
  const nodes = { agree: 3, nodesAgree: 3, random: 3 };
  const pods = { agree: 3, random: 3 };
  test.each<Case>([
    [
      'neither is',
      'unknown',
      { agree: 9, nodesAgree: 4, random: 9 },
      { pods: false, nodes: false },
    ],
    [
      'pods that are held do not outweigh nodes',
      'mispaired',
      { agree: 99, random: 99, nodesAgree: 3, disagree: 3, nodesDisagree: 3 },
      { pods: false },
    ],
    ['nor do they lack ports', 'unknown', { nodesMissed: 1, portless: 1 }, { pods: false }],
    [
      'nodes that are held do not outweigh pods',
      'mispaired',
      { agree: 9, nodesAgree: 6, random: 9, disagree: 3 },
      { nodes: false },
    ],
    ['nodes that agree suffice', 'paired', nodes, { pods: false }],
    ['not where a node is missed', 'unknown', { ...nodes, nodesMissed: 1 }, { pods: false }],
    [
      'nor where one disagrees',
      'unknown',
      { ...nodes, disagree: 1, nodesDisagree: 1 },
      { pods: false },
    ],
    ['pods that are held say nothing', 'unknown', pods, { pods: false }],
    [
      'nor does what is held of them disagree',
      'paired',
      { ...nodes, disagree: 9, podsMissed: 9, portless: 9 },
      { pods: false },
    ],
    ['nor are namespaces emptied of them', 'paired', nodes, { pods: false }, ['shop']],
    ['nor are they the random ones', 'unknown', { ...nodes, random: 0 }, { pods: false }],
    ['three pods suffice', 'paired', pods, { nodes: false }],
    ['two do not', 'unknown', { agree: 2, random: 2 }, { nodes: false }],
    [
      'nodes that are held say nothing',
      'unknown',
      { agree: 5, nodesAgree: 3, random: 5 },
      { nodes: false },
    ],
    [
      'nor do they disagree, nor are they missed',
      'paired',
      { ...pods, disagree: 9, nodesDisagree: 9, nodesMissed: 9 },
      { nodes: false },
    ],
  ])('%s: %s', (_, is, ...given) => expect(decided(...given)).toBe(is));
});

describe('by what is missed', () => {
  test.each<Case>([
    ['as many nodes as agree', 'paired', { agree: 1, nodesAgree: 1, random: 1, nodesMissed: 1 }],
    ['more nodes than agree', 'unknown', { agree: 9, nodesAgree: 1, random: 9, nodesMissed: 2 }],
    ['two pods', 'paired', { agree: 1, random: 1, podsMissed: 2 }],
    ['three pods of few', 'unknown', { agree: 56, random: 56, podsMissed: 3 }],
    ['three pods of many', 'paired', { agree: 57, random: 57, podsMissed: 3 }],
    ['all pods of a namespace', 'unknown', { agree: 1, random: 1 }, {}, ['shop']],
    ['more pods have no port than have one', 'unknown', { agree: 2, random: 2, portless: 3 }],
    ['as many', 'paired', { agree: 2, random: 2, portless: 2 }],
    ['more, where nodes agree', 'paired', { agree: 2, nodesAgree: 1, random: 2, portless: 3 }],
  ])('%s: %s', (_, is, ...given) => expect(decided(...given)).toBe(is));
});

describe('by networks of recordings', () => {
  const ground = { agree: 1, nodesAgree: 1, random: 1 };
  const copied = { ...ground, networks: 9, networksMissed: 2 };
  test.each<Case>([
    ['one has lost its owner', 'paired', { ...ground, networks: 1, networksMissed: 1 }],
    ['two of eleven have', 'unknown', copied],
    ['two of twenty have', 'paired', { ...copied, networks: 18 }],
    ['two of nineteen have', 'unknown', { ...copied, networks: 17 }],
    ['all have, and there is neither Subnet nor Vpc', 'paired', { ...copied, networks: 0 }],
    ['all have, and others have no switch', 'unknown', { ...copied, networks: 0, networksLost: 1 }],
    ['their kinds are not known', 'paired', copied, { networks: false }],
    ['the systems live', 'paired', copied, LIVING],
    ['many have no switch', 'paired', { ...ground, networks: 1, networksLost: 9 }],
    [
      'many have no switch, and a port is missed',
      'unknown',
      { ...ground, networks: 1, networksLost: 9, podsMissed: 1 },
    ],
    [
      'many have no switch, and a node is missed',
      'unknown',
      { ...ground, networks: 1, networksLost: 9, nodesMissed: 1 },
    ],
    [
      'many have no switch, and a network is missed',
      'unknown',
      { ...ground, networks: 1, networksLost: 9, networksMissed: 1 },
    ],
    [
      'two have no switch, and a port is missed',
      'paired',
      { ...ground, networks: 1, networksLost: 2, podsMissed: 1 },
    ],
    [
      'many pods have no port, and a network is missed',
      'unknown',
      { ...ground, networks: 1, portless: 9, networksMissed: 1 },
    ],
  ])('%s: %s', (_, is, ...given) => expect(decided(...given)).toBe(is));
});

test.each<Case>([
  [
    'that were recorded',
    'unknown',
    { agree: 1, nodesAgree: 1, random: 1, portless: 9, podsMissed: 1 },
  ],
  [
    'that live',
    'paired',
    { agree: 1, nodesAgree: 1, random: 1, portless: 9, podsMissed: 1 },
    LIVING,
  ],
])('two systems %s, of which each has what the other lacks: %s', (_, is, ...given) =>
  expect(decided(...given)).toBe(is),
);

test('where nothing agrees that is said, not that it may have been given', () =>
  expect(decidePairing(NO_PAIRING_COUNTS, new Set(), LIVING).reason).toContain(
    'no pod and no node has',
  ));

test('of several namespaces the first is named', () =>
  expect(
    decidePairing({ ...NO_PAIRING_COUNTS, agree: 1, random: 1 }, new Set(['shop', 'bank']), LIVING)
      .reason,
  ).toContain('namespace bank up'));
