import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Control, controlKey } from '@ovn-steward/contracts/control/control';
import { encodeControl } from '@ovn-steward/contracts/control/control-codec';
import type { Log, NewRecord } from '@ovn-steward/shared/log/log';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { signedLog } from '@ovn-steward/shared/signing/signed-log';
import { type KeyHolder, keyHolder, trusting } from '@ovn-steward/shared/signing/testing/keys';
import { CONTROL, TOPICS } from '@ovn-steward/shared/log/topics';
import { provenDecisions } from './proven-decisions';
import { Suppressions } from './suppressions';

const CONTRACTS = join(__dirname, '../../../../contracts');
const read = (path: string): Control =>
  JSON.parse(readFileSync(join(CONTRACTS, path), 'utf8')) as Control;
const SUPPRESS = read('examples/control.v1.suppress.json');
const END = read('examples/control.v1.unsuppress.json');
const PARTITION = 3;

let log: Log;
let suppressions: Suppressions;
beforeEach(async () => {
  log = openSqliteLog({ file: ':memory:' });
  await log.ensureTopics(TOPICS);
  suppressions = new Suppressions(log, PARTITION);
});
afterEach(() => log.close());

const report = (...records: NewRecord[]): Promise<unknown> =>
  log.append(CONTROL, PARTITION, records);
const reported = (control: Control): NewRecord => encodeControl(control, 0);
const by = (cluster = SUPPRESS.cluster): unknown =>
  suppressions.of(cluster) && [...suppressions.of(cluster)!].map((it) => it.by);

test('nothing is known before the topic was read to its end', async () => {
  expect(by()).toBeUndefined();
  expect([await suppressions.readOn(), by(), await suppressions.readOn()]).toEqual([
    true,
    [],
    false,
  ]);
});

test('a suppression counts for its cluster until its end is published', async () => {
  await report(reported(SUPPRESS), reported(read('examples/control.v1.protect.json')));
  await suppressions.readOn();
  expect([by(), by('paris-1')]).toEqual([['jana'], []]);
  await report(reported(END));
  expect([await suppressions.readOn(), by()]).toEqual([true, []]);
});

test.each<[string, Partial<NewRecord>]>([
  ['that cannot be read', { value: 'no JSON' }],
  ['of another cluster under its key', { value: JSON.stringify({ ...SUPPRESS, cluster: 'x' }) }],
  ['of a later type', { value: JSON.stringify({ ...SUPPRESS, type: 'mute' }) }],
  ['of another version', { value: JSON.stringify({ ...SUPPRESS, version: 2 }) }],
  ['that is forgotten', { value: null }],
])('a record %s suppresses nothing, and ends what stood there', async (_what, forged) => {
  await report(reported(SUPPRESS));
  await suppressions.readOn();
  await report({ ...reported(SUPPRESS), ...forged });
  await suppressions.readOn();
  expect(by()).toEqual([]);
});

test('a selector of a later version is kept as it is', async () => {
  const later = read('later-versions/control.v1.suppress.json');
  await report(reported(later));
  await suppressions.readOn();
  expect([...suppressions.of(later.cluster)!][0]?.selector).toHaveProperty('node');
  expect(controlKey(later)).toContain('worker-3');
});

test('where decisions must be signed and nobody is trusted, none counts', async () => {
  const required = provenDecisions(log, { required: true }, () => undefined);
  suppressions = new Suppressions(required, PARTITION);
  await report(reported(SUPPRESS));
  await suppressions.readOn();
  expect(by()).toEqual([]);
});

describe('with signatures', () => {
  const anna = keyHolder();
  const mallory = keyHolder();
  const clock = { ms: Date.parse('2026-03-02T10:00:00Z') };
  const now = (): number => (clock.ms += 1000);
  const logOf = ({ key }: KeyHolder): Log =>
    signedLog(log, { key, trusted: () => trusting(anna), required: true, now });
  /** Somebody decides. Gives the record as it lies in the log. */
  const decide = async (control: Control, by = anna): Promise<NewRecord> => {
    const { first } = await logOf(by).append(CONTROL, PARTITION, [reported(control)]);
    const { key, value, headers, timestamp } = (await log.read(CONTROL, PARTITION, first, 1))
      .records[0]!;
    return { key, value, headers, timestamp };
  };
  beforeEach(() => (suppressions = new Suppressions(logOf(anna), PARTITION)));

  test('a suppression that is appended again after its end hides nothing', async () => {
    const suppressed = await decide(SUPPRESS);
    await suppressions.readOn();
    expect(by()).toEqual(['anna']);
    await decide(END);
    await report(suppressed);
    await suppressions.readOn();
    expect(by()).toEqual([]);
  });

  test('what a stranger signs neither suppresses nor ends anything', async () => {
    await decide(SUPPRESS, mallory);
    await suppressions.readOn();
    expect(by()).toEqual([]);
    await decide(SUPPRESS);
    await decide(END, mallory);
    await suppressions.readOn();
    expect(by()).toEqual(['anna']);
  });
});

test('says when one ends between two moments', async () => {
  await report(reported(SUPPRESS));
  await suppressions.readOn();
  const end = Date.parse('2026-03-03T06:00:00.000Z');
  expect([
    suppressions.endsBetween(end - 2, end - 1),
    suppressions.endsBetween(end - 1, end),
    suppressions.endsBetween(end, end + 1),
  ]).toEqual([false, true, false]);
});
