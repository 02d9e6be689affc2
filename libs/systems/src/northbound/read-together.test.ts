import { operation, type Operation } from '@ovn-steward/ovsdb';
import { Failure } from '@ovn-steward/shared/errors';
import { counted } from '../testing/counted-systems';
import { memoryKubernetes } from '../testing/memory-kubernetes';
import { recordedNorthbound } from '../testing/recorded-northbound';
import type { Northbound } from './northbound';
import { readTogether } from './read-together';

const never = new AbortController().signal;
const SWITCHES = operation.select('Logical_Switch', [], ['name']);
const ROUTERS = operation.select('Logical_Router', [], ['name']);
const NOTHING = operation.select('Nothing', []);

const start = async () => {
  const { systems, calls } = counted({
    northbound: await recordedNorthbound('clean'),
    kubernetes: memoryKubernetes(),
  });
  return { northbound: systems.northbound, together: readTogether(systems.northbound), calls };
};

test('selects of one turn are one transaction, and each gets its own answer', async () => {
  const { northbound, together, calls } = await start();
  const alone = [
    await northbound.read([SWITCHES], never),
    await northbound.read([ROUTERS, SWITCHES], never),
  ];
  calls.names.length = 0;
  const answers = await Promise.all([
    together.read([SWITCHES], never),
    together.read([ROUTERS, SWITCHES], never),
  ]);
  expect(answers).toEqual(alone);
  expect(calls.names).toEqual(['read']);
});

test('what is wrong with one says nothing of the others', async () => {
  const { northbound, together } = await start();
  const alone = await northbound.read([SWITCHES], never);
  const wrong = await northbound.read([NOTHING], never);
  expect(wrong.is).toBe('refused');
  expect(
    await Promise.all([together.read([SWITCHES], never), together.read([NOTHING], never)]),
  ).toEqual([alone, wrong]);
});

test('a database that does not answer fails each, and is asked once', async () => {
  const { northbound } = await start();
  let reads = 0;
  const read: Northbound['read'] = () => {
    reads += 1;
    return Promise.reject(new Failure('source-unreachable', 'away'));
  };
  const away = readTogether(Object.assign(Object.create(northbound) as Northbound, { read }));
  const both = await Promise.allSettled([
    away.read([SWITCHES], never),
    away.read([ROUTERS], never),
  ]);
  expect(both.map((it) => it.status)).toEqual(['rejected', 'rejected']);
  expect(reads).toBe(1);
});

test('what does more than select has a transaction of its own', async () => {
  const { together, calls } = await start();
  const undone: readonly Operation[] = [
    operation.remove('Logical_Switch', [['name', '==', 'none']]),
    { op: 'abort' },
  ];
  await Promise.all([together.read([SWITCHES], never), together.read(undone, never)]);
  expect(calls.names).toEqual(['read', 'read']);
});

test('a very large transaction is read in parts', async () => {
  const { together, calls } = await start();
  const many = Array<Operation>(400).fill(SWITCHES);
  const answers = await Promise.all([1, 2, 3].map(() => together.read(many, never)));
  expect(answers.map((it) => it.is === 'committed' && it.results.length)).toEqual([400, 400, 400]);
  expect(calls.names).toEqual(['read', 'read']);
});
