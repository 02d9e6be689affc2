import { recording } from '@ovn-steward/testbed/recordings';
import { entry, header } from '../../test/clustered';
import { clustered, scratch, standalone } from '../../test/records';
import { uuid, ZOO_JSON } from '../../test/zoo';
import { type HistoryTransaction, readHistory } from './read-history';

const files = scratch();
afterAll(() => files.remove());

async function all(path: string): Promise<HistoryTransaction[]> {
  const transactions: HistoryTransaction[] = [];
  for await (const transaction of readHistory(path)) transactions.push(transaction);
  return transactions;
}

test('a real server’s history: every transaction with its time, many with their comment', async () => {
  const history = await all(recording('leaky', 'nb-history.db'));
  expect(history).toHaveLength(643);
  expect(history.map(({ index, record }) => record - index)).toEqual(history.map(() => 1));
  const times = history.map(({ date }) => date?.getTime() ?? NaN);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(history[0]).toMatchObject({
    date: new Date('2026-11-21T07:37:23.149Z'),
    changes: [{ kind: 'insert', table: 'NB_Global' }],
  });
  expect(history.at(-1)).toMatchObject({
    date: new Date('2026-11-21T07:53:56.567Z'),
    comment: expect.stringContaining('lb-add vpc-legacy-tcp-load'),
  });
  expect(history.filter(({ comment }) => comment !== undefined).length).toBe(108);
});

test('says what each transaction changed', async () => {
  const A = uuid(1);
  const path = files.file(
    standalone(
      ZOO_JSON,
      { Animal: { [A]: { name: 'Rex' } } },
      { Animal: { [A]: { foods: 'hay' } }, _is_diff: true, _comment: 'fed' },
      { Animal: { [A]: null } },
    ),
  );
  const seen = [];
  for await (const { comment, changes } of readHistory(path))
    seen.push([
      comment,
      ...changes.map(({ kind, row, changed }) => [kind, row.get('name'), changed.get('foods')]),
    ]);
  expect(seen).toEqual([
    [undefined, ['insert', 'Rex', undefined]],
    ['fed', ['modify', 'Rex', { added: ['hay'], removed: [] }]],
    [undefined, ['delete', 'Rex', undefined]],
  ]);
});

test('the history of a cluster member begins with its snapshot, also an empty one', async () => {
  const history = await all(
    files.file(
      clustered(header(), entry(2, { Animal: { [uuid(1)]: {} } }), entry(3, {}), {
        commit_index: 2,
      }),
    ),
  );
  expect(history.map(({ index, record, changes }) => [index, record, changes.length])).toEqual([
    [0, 0, 0],
    [1, 1, 1],
  ]);
});

test('ends with what the file left open', async () => {
  const history = readHistory(
    files.file(clustered(header(), entry(2, {}), { commit_index: 2 }).subarray(0, -1)),
    { allowTornTail: true },
  );
  let step = await history.next();
  while (!step.done) step = await history.next();
  expect(step.value).toMatchObject({ records: 2, uncommitted: 1, tornTail: { record: 2 } });
});

test('what precedes damage is given, then the error', async () => {
  const history = readHistory(
    files.file(standalone(ZOO_JSON, { Animal: {} }, { Animal: {} }).subarray(0, -1)),
  );
  expect(await history.next()).toMatchObject({ value: { index: 0 } });
  await expect(history.next()).rejects.toMatchObject({ code: 'truncated' });
});
