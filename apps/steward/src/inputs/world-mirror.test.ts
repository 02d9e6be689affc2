import { createEngine } from '@ovn-steward/judgement/create-engine';
import { createCollector, type Observation } from '@ovn-steward/collector';
import type { Change } from '@ovn-steward/contracts/changes/change';
import { Settings } from '@ovn-steward/shared/settings/settings';
import { worldMirror } from './world-mirror';

const stream = 'kubernetes/Node';
const node = (name: string, labels = {}): Observation => ({
  type: 'object',
  stream,
  kind: 'Node',
  uid: `uid-${name}`,
  name,
  object: { metadata: { name, uid: `uid-${name}`, labels } },
});
const fullRead = (...nodes: Observation[]): Observation[] => [
  { type: 'begin', stream, kinds: ['Node'] },
  ...nodes,
  { type: 'complete', stream, kinds: ['Node'], cursor: '' },
];

/**
 * Lets the collector report to an engine what the source says, remembered by the engine's world.
 */
async function reported(
  ...batches: Observation[][]
): Promise<{ changes: Change[]; engine: ReturnType<typeof createEngine> }> {
  const { cluster, grace } = Settings.parse({ cluster: 'test' });
  const engine = createEngine({ cluster, grace });
  const changes: Change[] = [];
  const collector = createCollector({
    cluster,
    mirror: worldMirror(engine.world),
    clock: () => new Date(0),
    sources: [
      {
        id: 'nodes',
        source: 'kubernetes',
        streams: ['kubernetes/Node'],
        async *observe() {
          yield* batches;
        },
      },
    ],
    publish: async (some) => {
      changes.push(...some);
      engine.apply(some);
    },
  });
  await collector.run(new AbortController().signal);
  return { changes, engine };
}

const puts = (changes: readonly Change[]): string[] =>
  changes.flatMap((it) =>
    it.type === 'put' || it.type === 'delete' ? [`${it.type} ${it.name}`] : [],
  );

test('a second full read reports only what is new, other or gone', async () => {
  const { changes, engine } = await reported(
    fullRead(node('a'), node('b'), node('c')),
    fullRead(node('a'), node('b', { other: 'x' }), node('d')),
  );
  expect(puts(changes)).toEqual(['put a', 'put b', 'put c', 'put b', 'put d', 'delete c']);
  expect(engine.world.completeness('Node')).toEqual({ state: 'complete' });
  expect(changes.at(-1)).toMatchObject({ type: 'snapshot-end', epoch: 2, count: 3 });
});

test('what another stream holds is not its own', async () => {
  const { engine } = await reported(fullRead(node('a')));
  const mirror = worldMirror(engine.world);
  expect(mirror.get(stream, 'Node', 'uid-a')).toMatchObject({ name: 'a' });
  expect(mirror.get('ovn-nb', 'Node', 'uid-a')).toBeUndefined();
  expect([...mirror.keys(stream)]).toEqual([['Node', 'uid-a']]);
  expect([...mirror.keys('ovn-nb')]).toEqual([]);
});

test('knows the streams of each source as of their last epoch', async () => {
  const mirror = worldMirror((await reported()).engine.world);
  const [one, two] = [
    { id: 'one', source: 'ovn-nb' },
    { id: 'two', source: 'kubernetes' },
  ] as const;
  expect([
    mirror.openEpoch('a', one, ['A'], 0),
    mirror.openEpoch('a', one, ['A', 'B'], 0),
    mirror.openEpoch('b', two, ['C'], 0),
  ]).toEqual([1, 2, 1]);
  expect(mirror.streamsOf(one)).toEqual([{ stream: 'a', kinds: ['A', 'B'] }]);
});
