import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '@ovn-steward/shared/errors';
import type { Control } from '@ovn-steward/contracts/control/control';
import type { Log } from '@ovn-steward/shared/log/log';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { CONTROL, TOPICS } from '@ovn-steward/shared/log/topics';
import { until } from '@ovn-steward/shared/testing/until';
import { decision, controlEntry } from '../testing/controls';
import { CLUSTER, NOW, PARTITION, recordOf } from '../testing/findings';
import { type ControlState, NOTHING_DECIDED } from './control-state';
import { readControlAndPlan } from './read-control-and-plan';
import { HeardPublisher } from './publish-heard';
import { foldControls } from './fold-controls';

let log: Log;
let abort: AbortController;
let troubles: string[];

beforeEach(async () => {
  log = openSqliteLog({ file: ':memory:' });
  await log.ensureTopics(TOPICS);
  abort = new AbortController();
  troubles = [];
});
afterEach(async () => {
  abort.abort();
  await log.close();
});

const teller = (on: Pick<Log, 'append'> = log, name = 'e1'): HeardPublisher =>
  new HeardPublisher({
    log: on,
    cluster: CLUSTER,
    partition: PARTITION,
    name,
    clock: () => NOW,
    signal: abort.signal,
    onTrouble: (it) => void troubles.push(it),
  });
const after = (state: ControlState, ...controls: Parameters<typeof decision>[0][]): ControlState =>
  foldControls(
    state,
    CLUSTER,
    controls
      .map((it) => recordOf(controlEntry(decision(it))))
      .map((it) => ({ key: it.key, read: readControlAndPlan(it) })),
  );
const said = async (): Promise<(Extract<Control, { type: 'heard' }> | null)[]> =>
  (await log.read(CONTROL, PARTITION, 0n, 100)).records.map((it) => JSON.parse(String(it.value)));
const saidSo = async (count: number): Promise<unknown[]> => {
  await until(async () => (await said()).length >= count);
  return (await said()).map((it) => it && it.decisions.map(({ id }) => id));
};
const hold = { type: 'hold', scope: {}, reason: 'x', until: null } as const;
const HELD = after(NOTHING_DECIDED, { ...hold, id: 'h' });
const heard = (by: string, since: string): Parameters<typeof decision>[0] => ({
  type: 'heard',
  by,
  since,
  decisions: [],
});

test('what is respected is said once for each change of it, from the beginning', async () => {
  const publisher = teller();
  publisher.publish(NOTHING_DECIDED);
  expect(await saidSo(1)).toEqual([[]]);
  publisher.publish(HELD);
  await saidSo(2);
  publisher.publish(after(HELD, { type: 'approve', finding: 'f', revision: 1 }, heard('e1', 'x')));
  publisher.publish(after(HELD, { type: 'resume', id: 'r', scope: {} }));
  expect(await saidSo(3)).toEqual([[], ['h'], ['r']]);
  expect((await said())[1]).toMatchObject({
    type: 'heard',
    cluster: CLUSTER,
    by: 'e1',
    at: NOW.toISOString(),
    since: NOW.toISOString(),
    decisions: [{ about: 'hold/["*","*","*"]', id: 'h', type: 'hold' }],
  });
});

test('it begins later than all others that it knows of, whatever its clock says', async () => {
  const ahead = new Date(NOW.getTime() + 60_000);
  const own = new Date(NOW.getTime() + 3_600_000);
  teller().publish(
    after(NOTHING_DECIDED, heard('e2', ahead.toISOString()), heard('e1', own.toISOString())),
  );
  await saidSo(1);
  expect((await said())[0]?.since).toBe(new Date(ahead.getTime() + 1).toISOString());
});

test('what the log does not take is said when it does', async () => {
  let broken = true;
  const failing: Pick<Log, 'append'> = {
    append: (...args) =>
      broken
        ? Promise.reject(new Failure('log-unavailable', 'No broker answers.'))
        : log.append(...args),
  };
  const publisher = teller(failing);
  publisher.publish(NOTHING_DECIDED);
  publisher.publish(HELD);
  await sleep(20);
  expect(troubles[0]).toContain('No broker answers.');
  broken = false;
  expect(await saidSo(1)).toEqual([['h']]);
});

test('who ends says that it follows no more', async () => {
  const publisher = teller();
  publisher.publish(HELD);
  await saidSo(1);
  abort.abort();
  await publisher.end();
  expect(await saidSo(2)).toEqual([['h'], null]);
});

test('who ends says nothing for another of its name, nor where it never said anything', async () => {
  await teller().end();
  const publisher = teller();
  publisher.publish(HELD);
  await saidSo(1);
  publisher.publish(after(HELD, heard('e1', '2099-01-01T00:00:00Z')));
  abort.abort();
  await publisher.end();
  expect(await said()).toHaveLength(1);
});

test('the end of a log that does not answer is not waited for', async () => {
  let silent = false;
  const publisher = teller({
    append: (...args) => (silent ? new Promise(() => undefined) : log.append(...args)),
  });
  publisher.publish(HELD);
  await saidSo(1);
  silent = true;
  abort.abort();
  await publisher.end();
  expect(await said()).toHaveLength(1);
});
