import { operation, type Operation } from '@ovn-steward/ovsdb';
import { counted } from '../testing/counted-systems';
import { memoryKubernetes } from '../testing/memory-kubernetes';
import { recordedNorthbound } from '../testing/recorded-northbound';
import type { MemoryNorthbound } from '../testing/memory-northbound';
import { writeTogether } from './write-together';

const never = new AbortController().signal;
const REFUSED = operation.wait('NB_Global', [['name', '==', 'none']], ['name'], [{ name: 'none' }]);
const said = (what: string): Operation => operation.comment(what);

let recorded: MemoryNorthbound;
let calls: ReturnType<typeof counted>['calls'];
let clock: number;
let together: ReturnType<typeof writeTogether>;
beforeEach(async () => {
  recorded = await recordedNorthbound('clean');
  await recorded.takeOver(never);
  const { systems, calls: all } = counted({ northbound: recorded, kubernetes: memoryKubernetes() });
  calls = all;
  clock = 0;
  together = writeTogether(systems.northbound, () => clock);
});

test('one transaction for all of one turn', async () => {
  const answers = await Promise.all(['a', 'b', 'c'].map((it) => together.write([said(it)], never)));
  expect(answers.map(({ is }) => is)).toEqual(['committed', 'committed', 'committed']);
  expect(calls.names).toEqual(['write']);
});

test('each refusal costs one transaction more', async () => {
  const answers = await Promise.all([
    together.write([said('a')], never),
    together.write([said('b'), REFUSED], never),
    together.write([said('c')], never),
    together.write([REFUSED], never),
  ]);
  expect(answers.map((it) => (it.is === 'refused' ? it.at : it.is))).toEqual([
    'committed',
    1,
    'committed',
    0,
  ]);
  expect(calls.names).toEqual(['write', 'write', 'write']);
});

test('what was refused with others is not sent again late', async () => {
  recorded.database.fault = () => void (clock += 1001) as undefined;
  const [refused, other] = await Promise.allSettled([
    together.write([REFUSED], never),
    together.write([said('b')], never),
  ]);
  expect(refused).toMatchObject({ status: 'fulfilled', value: { is: 'refused', at: 0 } });
  expect(other).toMatchObject({
    status: 'rejected',
    reason: { code: 'source-unreachable', message: expect.stringContaining('not sent again') },
  });
  expect(calls.names).toEqual(['write']);
});

test('where no answer comes, of none it is known whether it was committed', async () => {
  recorded.database.fault = () => 'lose-reply';
  const answers = await Promise.allSettled([
    together.write([said('a')], never),
    together.write([said('b')], never),
  ]);
  for (const answer of answers)
    expect(answer).toMatchObject({ status: 'rejected', reason: { code: 'outcome-unknown' } });
  expect(calls.names).toEqual(['write']);
});

test('who is fenced off changes nothing, and sends nothing after the refusal', async () => {
  await recorded.peer().takeOver(never);
  const [first, second] = await Promise.allSettled([
    together.write([said('a')], never),
    together.write([said('b')], never),
  ]);
  expect(first).toMatchObject({ value: { is: 'refused', error: 'not owner' } });
  expect(second).toMatchObject({ status: 'rejected', reason: { code: 'fenced' } });
});

test('a very large transaction is sent in parts', async () => {
  const many = Array<Operation>(400).fill(said('a'));
  const answers = await Promise.all([1, 2, 3].map(() => together.write(many, never)));
  expect(answers.map((it) => it.is === 'committed' && it.results.length)).toEqual([400, 400, 400]);
  expect(calls.names).toEqual(['write', 'write']);
});

test('nothing is sent for a caller that has ended', async () => {
  await expect(together.write([said('a')], AbortSignal.abort(new Error('ended')))).rejects.toThrow(
    'ended',
  );
  expect(calls.names).toEqual([]);
});
