import { kubernetesKind, type KubernetesKind } from '@ovn-steward/shared/kinds';
import { watchEvents, type WatchBatch } from './watch-events';

const pod = kubernetesKind('Pod') as KubernetesKind;
const lineOf = (event: unknown): Buffer => Buffer.from(`${JSON.stringify(event)}\n`);
const bookmark = lineOf({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '7' } } });

async function read(bytes: AsyncIterable<Buffer>, now = () => 0): Promise<WatchBatch[]> {
  const batches: WatchBatch[] = [];
  for await (const batch of watchEvents({ bytes, close: () => {} }, pod, now)) batches.push(batch);
  return batches;
}

async function* chunks(...all: Buffer[]): AsyncGenerator<Buffer> {
  yield* all;
}

test('gives the events of one read together, and a last batch without any', async () => {
  const added = { type: 'ADDED', object: { metadata: { name: 'a' } } };
  expect(
    (await read(chunks(Buffer.concat([lineOf(added), bookmark]), bookmark))).map((it) => it.events),
  ).toEqual([
    [added, { type: 'BOOKMARK', resourceVersion: '7' }],
    [{ type: 'BOOKMARK', resourceVersion: '7' }],
    [],
  ]);
});

test('what lay in the socket while nobody read it is not dated to when it was read', async () => {
  let clock = 100;
  const longerThanAPoll = async (): Promise<void> => {
    for (let n = 0; n < 4; n += 1) await new Promise((go) => setImmediate(go));
  };
  async function* server(): AsyncGenerator<Buffer> {
    await longerThanAPoll();
    yield bookmark; // had to be waited for
    yield bookmark; // was there already
    await longerThanAPoll();
    yield bookmark;
  }
  const dated: number[] = [];
  for await (const batch of watchEvents({ bytes: server(), close: () => {} }, pod, () => clock)) {
    if (batch.events.length > 0) dated.push(batch.caughtUpAt);
    clock += 1000; // a slow consumer
  }
  expect(dated).toEqual([100, 100, 2100]);
});

test.each<[string, unknown, string]>([
  ['an unknown type', { type: 'SHRUGGED', object: {} }, 'source-expired'],
  ['no object at all', 7, 'source-expired'],
  ['a bookmark without position', { type: 'BOOKMARK', object: {} }, 'source-expired'],
  ['ERROR 410', { type: 'ERROR', object: { code: 410 } }, 'source-expired'],
  [
    'ERROR 500 because of an expired position',
    { type: 'ERROR', object: { code: 500, reason: 'Expired' } },
    'source-expired',
  ],
  ['ERROR without a code', { type: 'ERROR', object: 'what' }, 'source-unreachable'],
  ['ERROR 403', { type: 'ERROR', object: { code: 403 } }, 'source-forbidden'],
])('%s ends the watch', async (_name, event, code) => {
  await expect(read(chunks(lineOf(event)))).rejects.toMatchObject({ code });
});
