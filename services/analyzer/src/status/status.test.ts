import type { Change } from '@ovn-steward/contracts/changes/change';
import type { SourceStatus } from '@ovn-steward/contracts/status/source-status';
import { decodeStatus } from '@ovn-steward/contracts/status/status-codec';
import { object, logicalSwitch, port, ip } from '@ovn-steward/judgement/testing/builders';
import { History } from '@ovn-steward/judgement/testing/history';
import { Failure } from '@ovn-steward/shared/errors';
import type { Log } from '@ovn-steward/shared/log/log';
import { CHANGES, FINDINGS, STATUS } from '@ovn-steward/shared/log/topics';
import type { AnalyzedBatch } from '../partition/analyzer-options';
import { Bench, CLUSTERS, PARTITION } from '../testing/bench';

const [TEST] = CLUSTERS;
let bench: Bench;
beforeEach(async () => (bench = await new Bench().begin()));
afterEach(() => bench.end());

const world = (history: History): Change[] => [
  ...history.listEverything(),
  history.put(object('Subnet', 'apps')),
  history.put(logicalSwitch()),
  history.put(port()),
  history.put(ip('web-0.shop.second.shop.ovn')),
  ...history.heartbeats(0),
];

async function statuses(): Promise<SourceStatus[]> {
  return (await bench.recordsOf(STATUS)).map((record) => {
    const read = decodeStatus(PARTITION, record);
    if (!('status' in read)) throw new Error(JSON.stringify(read));
    return read.status;
  });
}
const last = async (source: string): Promise<SourceStatus> =>
  (await statuses()).filter((it) => it.source === source).at(-1)!;

test('each source of a cluster says through when it is known, behind the findings it is about', async () => {
  const history = new History(TEST);
  await bench.publish(world(history));
  await bench.read();
  const { high } = await bench.log.watermarks(FINDINGS, PARTITION);
  expect(high > 0n).toBe(true);
  expect((await statuses()).map((it) => it.source)).toEqual(['kubernetes', 'ovn-nb', 'ovn-sb']);
  const { analyzer } = (await bench.recordsOf(FINDINGS))[0]!.headers;
  expect(await last('kubernetes')).toEqual({
    version: 1,
    cluster: TEST,
    source: 'kubernetes',
    complete: true,
    freshThrough: (history.heartbeats(0)[0] as { observedThrough: string }).observedThrough,
    incomplete: [],
    withheld: [],
    unjudged: 0,
    pairing: 'paired',
    findingsThrough: String(high),
    analyzer: { version: '1.2.3', id: analyzer },
    writtenAt: new Date(bench.now).toISOString(),
  });
});

test('a source that nobody reported is not known', async () => {
  const history = new History(TEST);
  await bench.publish(history.listEverything().filter(({ source }) => source === 'ovn-nb'));
  await bench.read();
  const status = await last('kubernetes');
  expect(status).toMatchObject({ complete: false, freshThrough: null, pairing: 'unknown' });
  expect(status.withheld.map(({ rule }) => rule)).toContain('leaked-ip');
  const southbound = await last('ovn-sb');
  expect(southbound).toMatchObject({ complete: false, freshThrough: null });
  expect(southbound.withheld.map(({ rule }) => rule)).not.toContain('leaked-ip');
});

test('what becomes unknown is said at once, with the rules that say nothing on its account', async () => {
  const history = new History(TEST);
  await bench.publish(world(history));
  await bench.read();
  await bench.publish([history.lose('Pod')]);
  await bench.read();
  const status = await last('kubernetes');
  expect(status.complete).toBe(false);
  expect(status.incomplete).toEqual([
    {
      kind: 'Pod',
      state: 'unavailable',
      reason: 'forbidden',
      detail: expect.any(String) as string,
    },
  ]);
  expect(status.withheld).toContainEqual({
    rule: 'orphaned-logical-switch-port',
    reason: expect.stringContaining('Pod') as string,
  });
});

test('what only moves on is said once a minute, however much comes', async () => {
  const history = new History(TEST);
  await bench.publish(world(history));
  const stop = new AbortController();
  let judged: (next: bigint) => void = () => undefined;
  const onBatch = ({ next }: AnalyzedBatch): void => judged(next);
  const { running } = bench.start({}, stop.signal, { onBatch });
  /** How many there are once these changes were judged and all is published. */
  const through = async (changes: readonly Change[]): Promise<number> => {
    const reached = new Promise<void>((resolve) => {
      judged = (next) =>
        void bench.log.watermarks(CHANGES, PARTITION).then(({ high }) => next >= high && resolve());
    });
    await bench.publish(changes);
    await reached;
    return (await statuses()).length;
  };
  const before = await through(history.heartbeats(0));
  for (let count = 0; count < 20; count++)
    expect(await through(history.heartbeats(0))).toBe(before);
  expect(await through(history.heartbeats(1))).toBe(before + 2);
  bench.now += 120_000;
  expect(await through([history.put(port('web-1.shop'))])).toBe(before + 2); // nothing is fresher
  stop.abort();
  await running;
});

test('findings are published where the status cannot be, and that is said', async () => {
  const history = new History(TEST);
  await bench.publish(world(history));
  const { log } = bench;
  const refusing: Log = {
    ensureTopics: (specs) => log.ensureTopics(specs),
    read: (...args) => log.read(...args),
    consume: (options) => log.consume(options),
    committed: (group) => log.committed(group),
    watermarks: (topic, at) => log.watermarks(topic, at),
    close: () => log.close(),
    commit: (group, positions) => log.commit(group, positions),
    append: (topic, at, records) =>
      topic === STATUS
        ? Promise.reject(new Failure('log-forbidden', 'no right to write there'))
        : log.append(topic, at, records),
  };
  const { events } = await bench.read({ log: refusing });
  expect((await bench.recordsOf(FINDINGS)).length).toBeGreaterThan(0);
  expect(events).toContainEqual({
    type: 'status-unpublished',
    partition: PARTITION,
    error: 'no right to write there',
  });
  expect(await statuses()).toEqual([]);
  await bench.publish(history.heartbeats(0));
  await bench.read();
  expect((await statuses()).map((it) => it.source)).toEqual(['kubernetes', 'ovn-nb', 'ovn-sb']);
});
