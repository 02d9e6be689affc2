import { operation } from '@ovn-steward/ovsdb';
import { Failure } from '@ovn-steward/shared/errors';
import type { Northbound } from '@ovn-steward/systems/northbound/northbound';
import { counted } from '@ovn-steward/systems/testing/counted-systems';
import { memoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import { recordedNorthbound } from '@ovn-steward/systems/testing/recorded-northbound';
import { selectBatch } from './select-batch';

const never = new AbortController().signal;
const start = async () =>
  counted({ northbound: await recordedNorthbound('clean'), kubernetes: memoryKubernetes() });

test('what is asked in one turn is one transaction', async () => {
  const { systems, calls } = await start();
  const select = selectBatch(systems.northbound, never);
  const [switches, none] = await Promise.all([
    select('Logical_Switch', [], ['name']),
    select('Logical_Switch', operation.byUuid('00000000-0000-4000-8000-000000000000')),
  ]);
  expect([switches.length > 3, none]).toEqual([true, []]);
  expect(calls.northbound).toBe(1);
  await select('Logical_Router', []);
  expect(calls.northbound).toBe(2);
});

test('a transaction that is refused, or does not arrive, fails each of them', async () => {
  const { systems } = await start();
  const select = selectBatch(systems.northbound, never);
  const refused = await Promise.allSettled([select('Logical_Switch', []), select('Nothing', [])]);
  expect(refused.map((it) => it.status)).toEqual(['rejected', 'rejected']);
  expect(refused[0]).toMatchObject({ reason: { code: 'source-broken' } });
  const away: Northbound = {
    ...systems.northbound,
    read: () => Promise.reject(new Failure('source-unreachable', 'away')),
  };
  await expect(selectBatch(away, never)('Logical_Switch', [])).rejects.toMatchObject({
    code: 'source-unreachable',
  });
});

test.each([
  ['no result', []],
  ['the result of something else', [{ kind: 'inserted', uuid: 'u' }]],
])('%s is no empty answer', async (_, results) => {
  const { systems } = await start();
  const odd: Northbound = {
    ...systems.northbound,
    read: async () => ({ is: 'committed', results: results as never }),
  };
  await expect(selectBatch(odd, never)('Logical_Switch', [])).rejects.toMatchObject({
    code: 'source-broken',
    message: expect.stringContaining('did not answer a select'),
  });
});
