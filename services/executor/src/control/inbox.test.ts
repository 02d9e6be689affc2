import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '@ovn-steward/shared/errors';
import type { Log } from '@ovn-steward/shared/log/log';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { openSqliteDatabase } from '@ovn-steward/shared/log/sqlite-database';
import { CONTROL, DEAD_LETTER, TOPICS } from '@ovn-steward/shared/log/topics';
import { SIGNATURE_HEADER } from '@ovn-steward/shared/signing/signature-header';
import type { ControlInbox } from '../store/control-inbox';
import { decision } from '../testing/controls';
import { NOW, PARTITION } from '../testing/findings';
import { emptyInbox, moveInbox, openInbox } from './inbox';

let folder: string;
let log: Log;
let inbox: ControlInbox;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'inbox-'));
  log = openSqliteLog({ file: ':memory:' });
  await log.ensureTopics(TOPICS);
  inbox = openInbox(folder);
});
afterEach(async () => {
  inbox.close();
  await log.close();
  rmSync(folder, { recursive: true });
});

const controls = [
  decision({ type: 'hold', scope: {}, reason: 'x', until: null }),
  decision({ type: 'resume', scope: {} }),
  decision({ type: 'undo', of: 'a' }),
];
const inLog = async (): Promise<unknown[]> =>
  (await log.read(CONTROL, PARTITION, 0n, 100)).records.map((it) => JSON.parse(String(it.value)));
const ids = (): string[] => inbox.waiting().map((it) => it.id);

test('what another process puts in is in the log, in its order, and gone from the inbox', async () => {
  const abort = new AbortController();
  const ended = moveInbox({ inbox, log, partition: PARTITION, signal: abort.signal });
  const theirs = openInbox(folder);
  for (const it of controls) theirs.add(it, NOW);
  theirs.close();
  while ((await inLog()).length < controls.length) await sleep(5);
  expect(await inLog()).toEqual(controls);
  expect(ids()).toEqual([]);
  abort.abort();
  await ended;
});

test('put in twice it is one; and it waits for who is there next', async () => {
  inbox.add(controls[0]!, NOW);
  inbox.add(controls[0]!, NOW);
  inbox.close();
  inbox = openInbox(folder);
  expect(ids()).toEqual([controls[0]!.id]);
  expect(inbox.has(controls[0]!.id)).toBe(true);
  await emptyInbox({ inbox, log, partition: PARTITION });
  expect([await inLog(), inbox.has(controls[0]!.id)]).toEqual([[controls[0]], false]);
});

test('a crash after the append repeats that one, next to itself, and no other', async () => {
  for (const it of controls) inbox.add(it, NOW);
  let appended = 0;
  const dying: Log = {
    ...log,
    append: async (...args) => {
      const ack = await log.append(...args);
      if ((appended += 1) === 2) throw new Error('killed');
      return ack;
    },
  };
  await expect(emptyInbox({ inbox, log: dying, partition: PARTITION })).rejects.toThrow('killed');
  await emptyInbox({ inbox, log, partition: PARTITION });
  expect(await inLog()).toEqual([controls[0], controls[1], controls[1], controls[2]]);
});

test('what the log will never take is set aside, and nothing waits behind it', async () => {
  const vast = decision({
    type: 'hold',
    scope: {},
    reason: 'x'.repeat(9 * 1_048_576),
    until: null,
  });
  for (const it of [vast, controls[1]!]) inbox.add(it, NOW);
  await emptyInbox({ inbox, log, partition: PARTITION });
  expect([await inLog(), ids()]).toEqual([[controls[1]], []]);
  expect(
    (await log.read(DEAD_LETTER, PARTITION, 0n, 10)).records.map((it) => it.headers['id']),
  ).toEqual([`${CONTROL}/${PARTITION}/${vast.id}`]);
});

test('while the log fails it waits, says so, and goes on', async () => {
  const abort = new AbortController();
  const troubles: string[] = [];
  let broken = true;
  const failing: Log = {
    ...log,
    append: (...args) =>
      broken ? Promise.reject(new Failure('log-full', 'No room.')) : log.append(...args),
  };
  inbox.add(controls[0]!, NOW);
  const ended = moveInbox({
    inbox,
    log: failing,
    partition: PARTITION,
    signal: abort.signal,
    onTrouble: (it) => void troubles.push(it),
  });
  while (troubles.length === 0) await sleep(5);
  expect([troubles[0], ids().length]).toEqual([
    `What people decided waits in ${inbox.path}: No room.`,
    1,
  ]);
  broken = false;
  while ((await inLog()).length === 0) await sleep(5);
  abort.abort();
  await ended;
});

test('a file that is no inbox is reported in one sentence', () => {
  const other = mkdtempSync(join(folder, 'other-'));
  writeFileSync(join(other, 'control.db'), 'x'.repeat(2000));
  expect(() => openInbox(other)).toThrow(expect.objectContaining({ code: 'state-corrupt' }));
});

test('a signature goes with what it is of; a file of an earlier version has none', async () => {
  inbox.add(controls[0]!, NOW);
  inbox.close();
  const file = openSqliteDatabase(join(folder, 'control.db'));
  file.exec('ALTER TABLE control DROP COLUMN signature');
  file.close();
  inbox = openInbox(folder);
  inbox.add(controls[1]!, NOW, 'v=1');
  await emptyInbox({ inbox, log, partition: PARTITION });
  const { records } = await log.read(CONTROL, PARTITION, 0n, 100);
  expect(records.map((it) => it.headers[SIGNATURE_HEADER])).toEqual([undefined, 'v=1']);
});
