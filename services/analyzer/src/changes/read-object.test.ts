import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KNOWN_COLUMNS } from '@ovn-steward/judgement/ownership/known-columns';
import { RELATIONS } from '@ovn-steward/judgement/relations/registry';
import { TALLIES } from '@ovn-steward/judgement/tallies/registry';
import { World } from '@ovn-steward/judgement/world/world';
import { project } from '@ovn-steward/systems/projections/project';
import { type Change, changeKey, type Put } from '@ovn-steward/contracts/changes/change';
import type { SourceId } from '@ovn-steward/contracts/identity/reference';
import { KUBERNETES_KINDS, kubernetesKind, kubernetesStream } from '@ovn-steward/shared/kinds';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { CHANGES, PARTITIONS } from '@ovn-steward/shared/log/topics';
import { type ReadChange, readChange } from './read-change';

const AT = '2026-01-01T00:00:00.000Z';
const RECORDING = join(__dirname, '../../../../examples/recordings/leaky/kubernetes.json');
/** Stands for a value so deep that it can be read, but not written again. */
const DEEP = 'deep';
const DEEP_JSON = '['.repeat(100_000) + ']'.repeat(100_000);
/** What may stand where something else is expected. */
const HOSTILE: readonly unknown[] = [
  null,
  true,
  -1,
  1e999,
  '',
  'x',
  [],
  {},
  [null],
  [{}],
  [[]],
  ['x', 5],
  { x: null },
  { x: [] },
  { toString: 'x', hasOwnProperty: 1, constructor: null },
];

let seq = 0;
const put = (source: SourceId, kind: string, object: unknown, named: Partial<Put> = {}): Put => ({
  type: 'put',
  version: 1,
  id: 'i',
  cluster: 'test',
  source,
  stream: source === 'kubernetes' ? kubernetesStream(kind) : source,
  epoch: 1,
  seq: ++seq,
  cursor: '',
  observedAt: AT,
  kind,
  uid: 'u',
  name: 'n',
  object: object as Put['object'],
  hash: `hash ${seq}`,
  ...named,
});
const read = (change: Change): ReadChange =>
  readChange(
    {
      offset: 5n,
      key: changeKey(change),
      value: Buffer.from(JSON.stringify(change).replace(`"${DEEP}"`, DEEP_JSON)),
      headers: {},
      timestamp: Date.parse(AT),
    },
    { topic: CHANGES, partition: partitionOf('test', PARTITIONS) },
  );

/**
 * Every object that differs from this one by one hostile value, in the place of a part of it or
 * beside its parts.
 */
function* broken(value: unknown): Generator<unknown> {
  yield* HOSTILE;
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const [at, it] of value.slice(0, 2).entries())
      for (const other of broken(it)) yield value.with(at, other);
    return;
  }
  for (const [key, it] of Object.entries(value))
    for (const other of broken(it)) yield { ...value, [key]: other };
}

/** Folds what was read of each, and folds the next over it. */
function foldAll(puts: Iterable<Put>): { folded: number; poisoned: number } {
  const world = new World(RELATIONS, TALLIES);
  const counts = { folded: 0, poisoned: 0 };
  for (const change of puts) {
    const said = read(change);
    if ('poison' in said) {
      counts.poisoned++;
      expect(said).toMatchObject({
        cluster: 'test',
        input: { type: 'unreadable', uid: change.uid },
      });
    } else counts.folded++;
    if ('input' in said && said.input) world.fold(said.input);
  }
  return counts;
}

const recorded = (JSON.parse(readFileSync(RECORDING, 'utf8')) as { items: { kind: string }[] })
  .items;
const objects = KUBERNETES_KINDS.map(({ kind, namespaced }) => {
  const metadata = { uid: 'u', name: 'n', ...(namespaced && { namespace: 'shop' }) };
  const known = recorded.filter((it) => it.kind === kind).slice(0, 2);
  return [kind, [{ metadata, spec: {}, status: {} }, ...known]] as const;
});

test.each(objects)('no object of kind %s stops who folds it', (kind, samples) => {
  const puts = samples.flatMap((raw) => {
    const { object, ...named } = project(kind, raw);
    return [object, ...broken(object)].map((it) => put('kubernetes', kind, it, named));
  });
  const { folded, poisoned } = foldAll(puts);
  expect(folded).toBeGreaterThanOrEqual(samples.length);
  expect(poisoned).toBeGreaterThan(10);
});

const PARENTS = [{ kind: 'Logical_Switch', uid: 's', column: 'ports' }];
const rows = [...KNOWN_COLUMNS, ['Novelty', new Set(['name'])] as const].map(
  ([table, columns]) => [table, [...columns]] as const,
);

test.each(rows)('no row of %s stops who folds it', (table, columns) => {
  const sound = {
    external_ids: { vendor: 'kube-ovn', ls: 'apps', pod: 'shop/web' },
    _parents: PARENTS,
    _port_groups: ['g'],
  };
  const puts = [...columns, '_parents', '_port_groups', 'novel'].flatMap((column) => [
    put('ovn-nb', table, sound),
    ...[...broken({ [column]: column === '_parents' ? PARENTS : {} })]
      .filter((it) => typeof it === 'object' && it !== null)
      .map((it) => put('ovn-nb', table, { ...sound, ...it })),
  ]);
  const { folded, poisoned } = foldAll(puts);
  expect(folded).toBeGreaterThan(columns.length);
  expect(poisoned).toBeGreaterThan(columns.length);
});

test.each<[string, Change, string]>([
  [
    'an object that is empty',
    put('kubernetes', 'Pod', {}),
    'metadata: expected a value that is not empty, found nothing',
  ],
  [
    'an object of another uid',
    put('kubernetes', 'Node', { metadata: { uid: 'v', name: 'n' } }),
    'its metadata names another object than the record does',
  ],
  [
    'an object that is nested too deeply to be saved',
    put('kubernetes', 'SecurityGroup', {
      metadata: { uid: 'u', name: 'n' },
      spec: { ingressRules: [DEEP] },
    }),
    'it is nested more than 64 deep',
  ],
  [
    'a row whose map is a text',
    put('ovn-nb', 'NAT', { external_ids: 'x' }),
    'external_ids: expected a map, found a string',
  ],
  [
    'a row nobody knows that is nested',
    put('ovn-nb', 'Novelty', { a: { b: [] } }),
    'a: expected a string, a number, or true or false, found a list',
  ],
  [
    'a row that says it is an object',
    put('kubernetes', 'NAT', {}),
    'NAT is nothing that kubernetes has',
  ],
  ['an object that says it is a row', put('ovn-nb', 'Pod', {}), 'Pod is nothing that ovn-nb has'],
  ['a row of another database', put('ovn-sb', 'ACL', {}), 'ACL is nothing that ovn-sb has'],
  ['a row of the Southbound', put('ovn-nb', 'Chassis', {}), 'Chassis is nothing that ovn-nb has'],
  [
    'a row of the Southbound with another type',
    put('ovn-sb', 'Port_Binding', { chassis: 1 }),
    'chassis: expected a string, found a number',
  ],
])('%s is poison, and leaves a gap', (_, change, why) => {
  expect(read(change)).toMatchObject({ poison: why, input: { type: 'unreadable', why } });
});

test('keeps nothing of an object that this version does not read, and all of a row', () => {
  const row = { external_ids: { a: 'b' }, novel: ['x', 1] };
  expect(read(put('ovn-nb', 'NAT', row))).toMatchObject({ input: { object: row } });
  expect(kubernetesKind('Novelty')).toBeUndefined();
  expect(read(put('kubernetes', 'Novelty', { it: DEEP }))).toMatchObject({
    input: { kind: 'Novelty', object: {} },
  });
});
