import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Checkpoint } from '@ovn-steward/analyzer';
import { followControl, HeardPublisher, moveInbox, openInbox } from '@ovn-steward/executor';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import type { Control } from '@ovn-steward/contracts/control/control';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import type { Log } from '@ovn-steward/shared/log/log';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { ACTIONS, CONTROL, PARTITIONS, TOPICS } from '@ovn-steward/shared/log/topics';
import { SIGNATURE_HEADER } from '@ovn-steward/shared/signing/signature-header';
import { keyHolder, trusting } from '@ovn-steward/shared/signing/testing/keys';
import { verifyRecord } from '@ovn-steward/shared/signing/verify-record';
import { steward } from './testing/cli';

const CLUSTER = 'berlin-1';
const PARTITION = partitionOf(CLUSTER, PARTITIONS);
const PORT = {
  source: 'ovn-nb',
  kind: 'Logical_Switch_Port',
  name: 'web-0.shop',
  uid: 'u1',
} as const;

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'steward-decisions-'));
  writeFileSync(join(state, 'cluster'), `${CLUSTER}\n`);
});
afterEach(() => rmSync(state, { recursive: true }));

const say = (...args: string[]) => steward([...args, '--state-dir', state]);
function waiting(): Control[] {
  const inbox = openInbox(state);
  try {
    return inbox.waiting().map((it) => JSON.parse(it.value) as Control);
  } finally {
    inbox.close();
  }
}
const waits = (what: string) =>
  `Not acknowledged yet; it waits in ${state}, and the next pipeline there reads it before it does anything:\n${what}\n`;
const unheard = () =>
  `NOT acknowledged: no pipeline runs on ${state} now. An executor elsewhere, another folder's or one on Kafka, does not receive it.\n`;
const onLog = async (use: (log: Log) => Promise<unknown>): Promise<void> => {
  const log = openSqliteLog({ file: join(state, 'log.db') });
  await log.ensureTopics(TOPICS);
  await use(log).finally(() => log.close());
};

describe('steward hold and resume', () => {
  it('put a decision where the next pipeline hears it, and say so', async () => {
    expect(await say('hold', '--reason', 'maintenance', '--by', 'anna')).toEqual({
      code: 3,
      stderr: unheard(),
      stdout: waits(
        `On hold: everything of cluster ${CLUSTER}, until somebody resumes it. What is being removed at this moment is finished.`,
      ),
    });
    expect(await say('resume', '--wait', '0')).toEqual({
      code: 0,
      stderr: unheard(),
      stdout: waits(
        `No longer on hold: everything of cluster ${CLUSTER}. No other hold is in force.`,
      ),
    });
    expect(waiting()).toMatchObject([
      {
        type: 'hold',
        version: 1,
        cluster: CLUSTER,
        by: 'anna',
        scope: {},
        reason: 'maintenance',
        until: null,
      },
      { type: 'resume', cluster: CLUSTER, by: expect.stringMatching(/^.+@.+$/), scope: {} },
    ]);
  });

  it('a resume of a scope that nothing holds says what is held all the same', async () => {
    await say('hold', '--reason', 'maintenance', '--wait', '0');
    expect((await say('resume', '--rule', 'leaked-ip', '--wait', '0')).stdout).toBe(
      waits(
        `There is no hold of exactly this: rule leaked-ip of cluster ${CLUSTER}. Still on hold: everything of cluster ${CLUSTER}.`,
      ),
    );
  });

  it('name a scope and an end', async () => {
    const { stdout } = await say(
      'hold',
      '--rule',
      'leaked-ip',
      '--subnet',
      'shop',
      '--reason',
      'x',
      '--until',
      '2h',
      '--output',
      'json',
    );
    const {
      told: reported,
      controls: [hold],
    } = JSON.parse(stdout) as { told: string; controls: (Control & { type: 'hold' })[] };
    expect([reported, hold?.scope]).toEqual(['waiting', { rule: 'leaked-ip', subnet: 'shop' }]);
    expect(Date.parse(hold!.until!) - Date.parse(hold!.at)).toBe(7_200_000);
    expect(waiting()).toEqual([hold]);
  });

  it('are taken by the process that has the log, which they say', async () => {
    const stop = new AbortController();
    await onLog(async (log) => {
      const inbox = openInbox(state);
      const moving = moveInbox({ inbox, log, partition: PARTITION, signal: stop.signal });
      expect(await say('hold', '--reason', 'x', '--wait', '0.3')).toEqual({
        code: 3,
        stderr: expect.stringContaining(
          `NOT acknowledged within 0.3 s: no executor of cluster ${CLUSTER} follows decisions now.`,
        ),
        stdout: expect.stringContaining(`The pipeline that runs on ${state} has taken it.`),
      });
      stop.abort();
      await moving;
      inbox.close();
    });
    expect(waiting()).toEqual([]);
  });

  it('wait until the executor that acts says that it heard, and steward holds shows by whom', async () => {
    const stop = new AbortController();
    await onLog(async (log) => {
      const inbox = openInbox(state);
      const moving = moveInbox({ inbox, log, partition: PARTITION, signal: stop.signal });
      const publisher = new HeardPublisher({
        log,
        cluster: CLUSTER,
        partition: PARTITION,
        name: 'host-1',
        clock: () => new Date(),
        signal: stop.signal,
        onTrouble: () => undefined,
      });
      const following = followControl({
        log,
        cluster: CLUSTER,
        partition: PARTITION,
        signal: stop.signal,
        onState: (it) => publisher.publish(it),
      });
      const held = await say('hold', '--subnet', 'shop', '--reason', 'x', '--except', 'undo');
      expect(held).toEqual({
        code: 0,
        stderr: '',
        stdout: expect.stringMatching(/has taken it\.\nAcknowledged by host-1 at \S+Z\.\n$/),
      });
      const { holds } = JSON.parse((await say('holds', '--output', 'json')).stdout) as {
        holds: unknown[];
      };
      expect(holds).toEqual([
        {
          scope: { subnet: 'shop' },
          except: ['undo'],
          reason: 'x',
          by: expect.stringContaining('@'),
          since: expect.stringMatching(/Z$/),
          until: null,
          heardBy: ['host-1'],
        },
      ]);
      expect((await say('holds')).stdout).toMatch(
        /^On hold: everything in subnet shop of cluster berlin-1, but for undo\n {2}why {4}x\n {2}by {5}.*\n {2}until {2}somebody resumes it\n {2}heard {2}by host-1\nExecutors that follow decisions, and when each reported it last: host-1/,
      );
      stop.abort();
      await Promise.all([moving, following.ended]);
      // Killed, it says no more: it was last seen, and what stands is on the next to hear.
      expect(await say('resume', '--subnet', 'shop')).toEqual({
        code: 3,
        stderr: expect.stringMatching(/host-1 was last seen at \S+Z\.\n/),
        stdout: expect.stringContaining('Not acknowledged yet'),
      });
      inbox.close();
    });
    expect((await say('holds')).stdout).toMatch(/^Nothing of cluster berlin-1 is on hold\.\n/);
  });

  it.each([['hold', '--reason', 'x'], ['resume']])(
    '%s is refused in a folder where nobody ever ran, and makes none',
    async (...args) => {
      const elsewhere = join(state, 'elsewhere');
      expect(await steward([...args, '--state-dir', elsewhere])).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(
          /elsewhere is not the state directory of a pipeline, so nothing would act on this; nothing was written/,
        ),
      });
      expect(existsSync(elsewhere)).toBe(false);
    },
  );

  it.each<[string, string[], RegExp]>([
    [
      'a rule there is not',
      ['hold', '--rule', 'leaked-ips', '--reason', 'x'],
      /no rule "leaked-ips"; did you mean "leaked-ip"\?/,
    ],
    ['no reason', ['hold'], /--reason/],
    ['a wait that is none', ['hold', '--reason', 'x', '--wait', 'soon'], /from 0 to 1h, such as/],
    [
      'an end that is over',
      ['hold', '--reason', 'x', '--until', '2020-01-01T00:00:00Z'],
      /has passed/,
    ],
    [
      'an end that is none',
      ['hold', '--reason', 'x', '--until', 'tomorrow'],
      /"tomorrow" is no time/,
    ],
    [
      'a time without its zone',
      ['hold', '--reason', 'x', '--until', '2099-01-01T00:00:00'],
      /is no time/,
    ],
    [
      'a folder of another cluster',
      ['hold', '--reason', 'x', '--cluster', 'paris-1'],
      /belongs to the cluster berlin-1/,
    ],
    [
      'two ways',
      ['hold', '--reason', 'x', '--cluster', 'c', '--kafka-brokers', 'localhost:1'],
      /name the one that is meant/,
    ],
  ])('refuse %s in one sentence, and publish nothing', async (_, args, says) => {
    expect(await say(...args)).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(says),
    });
    expect(waiting()).toEqual([]);
  });
});

describe('steward approve', () => {
  const finding = (id: string, more: Partial<Finding> = {}): Finding => ({
    id: id.padEnd(64, '0'),
    cluster: CLUSTER,
    rule: 'orphaned-logical-switch-port',
    class: 'garbage',
    severity: 'warning',
    state: 'confirmed',
    revision: 3,
    subject: PORT,
    concerns: [],
    owner: { owner: 'kube-ovn', verdict: 'candidate', confidence: 3, evidence: [] },
    summary: 'port web-0.shop belongs to nobody',
    proof: [],
    remedy: { action: 'delete-logical-switch-port', target: PORT, advice: 'Remove it.' },
    firstSeen: '2026-03-02T10:00:00Z',
    lastSeen: '2026-03-02T10:20:00Z',
    confirmedAt: '2026-03-02T10:20:00Z',
    resolvedAt: null,
    ...more,
  });
  const know = (...findings: Finding[]): void => {
    const checkpoint = new Checkpoint(join(state, 'analyzer.db'), PARTITION);
    checkpoint.save({
      position: 1n,
      at: 1,
      judged: true,
      clusters: [{ cluster: CLUSTER, now: '', moved: [], streams: [], findings, forgotten: [] }],
      outgoing: [],
    });
    checkpoint.close();
  };

  it('approves findings in the revision they have, each once', async () => {
    know(finding('aa'), finding('ab', { revision: 7 }), finding('b'));
    const { code, stdout } = await say('approve', 'aa', 'ab', finding('aa').id);
    expect([code, stdout]).toEqual([
      0,
      waits(
        `Approved: aa00000000 orphaned-logical-switch-port, revision 3: port web-0.shop belongs to nobody\nApproved: ab00000000 orphaned-logical-switch-port, revision 7: port web-0.shop belongs to nobody`,
      ),
    ]);
    expect(waiting()).toMatchObject([
      { type: 'approve', finding: finding('aa').id, revision: 3 },
      { type: 'approve', finding: finding('ab').id, revision: 7 },
    ]);
  });

  it('signs it where the settings say with what, and whom the pipeline trusts', async () => {
    know(finding('aa'));
    const anna = keyHolder();
    writeFileSync(join(state, 'anna.pem'), anna.pem);
    mkdirSync(join(state, 'trusted'));
    writeFileSync(
      join(state, 'settings.yaml'),
      `executor: {approvers: {orphaned-logical-switch-port: 2}}\nsigning: {keyFile: ${state}/anna.pem, trustedKeys: ${state}/trusted}\n`,
    );
    await say('approve', 'aa', '--config', join(state, 'settings.yaml'));
    const inbox = openInbox(state);
    const [decision] = inbox.waiting();
    inbox.close();
    expect(JSON.parse(decision!.value)).toMatchObject({ approver: anna.key.id });
    expect(
      verifyRecord(
        {
          topic: CONTROL,
          partition: PARTITION,
          key: decision!.key,
          value: decision!.value,
          headers: { [SIGNATURE_HEADER]: decision!.signature! },
        },
        { keys: trusting(anna), required: true, now: Date.now() },
      ),
    ).toMatchObject({ is: 'proven', by: { name: 'anna' } });
  });

  it('takes an approval back', async () => {
    know(finding('aa', { state: 'resolved' }));
    expect((await say('approve', 'aa', '--withdraw')).code).toBe(0);
    expect(waiting()).toMatchObject([{ type: 'withdraw', of: `approve/${finding('aa').id}` }]);
  });

  it.each<[string, string, RegExp]>([
    ['an id that begins several', 'a', /3 findings begin with "a"/],
    [
      'an id there is not',
      'x',
      /No finding begins with "x".*steward actions <id> names its finding/,
    ],
    ['no id', '', /findings begin with ""/],
    ['what is only suspected', 'as', /only suspected/],
    ['what is resolved', 'ar', /resolved/],
    ['what nothing can be done about', 'an', /no remedy/],
  ])('refuses %s, and approves nothing else either', async (_, id, says) => {
    know(
      finding('as', { state: 'suspected' }),
      finding('ar', { state: 'resolved' }),
      finding('an', { remedy: null }),
      finding('b'),
    );
    expect(await say('approve', 'b', id)).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(says),
    });
    expect(waiting()).toEqual([]);
  });

  it('says where to look when no pipeline was ever there', async () => {
    expect(await say('approve', 'a')).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/analyzer.db does not exist/),
    });
  });
});

describe('steward undo', () => {
  const action = (id: string, more: Partial<ActionRecord> = {}): ActionRecord => ({
    version: 1,
    id: id.padEnd(64, '0'),
    cluster: CLUSTER,
    revision: 3,
    rule: 'orphaned-logical-switch-port',
    finding: { id: 'f', revision: 1 },
    action: 'delete-logical-switch-port',
    target: { ...PORT, name: `port-${id}` },
    state: 'done',
    code: 'done',
    reason: 'x',
    mode: 'enforce',
    plan: 'c'.repeat(64),
    approvedBy: 'anna',
    proof: [],
    owner: { owner: 'kube-ovn', verdict: 'candidate', confidence: 3, evidence: [] },
    scope: { vpc: null, subnet: null },
    undo: { of: 'entry', table: 'T', uuid: 'u', name: '', column: 'c', key: 'k', value: null },
    executor: 'e',
    at: '2026-03-02T10:20:00Z',
    claimedAt: '2026-03-02T10:20:00Z',
    endedAt: '2026-03-02T10:20:00Z',
    ...more,
  });
  const did = (...actions: ActionRecord[]) =>
    onLog((log) =>
      log.append(
        ACTIONS,
        PARTITION,
        actions.map((it) => ({ key: it.id, value: JSON.stringify(it), timestamp: 1 })),
      ),
    );

  it('asks for one action, or for all that a plan did, and names what is to come back', async () => {
    await did(
      action('a1'),
      action('a2'),
      action('a3', { state: 'refused', undo: null }),
      action('b', { plan: null }),
    );
    expect(await say('undo', 'b', 'cccc')).toEqual({
      code: 0,
      stderr: unheard(),
      stdout: waits(
        'To be put back, of action b00000000000:\n  Logical_Switch_Port port-b\nTo be put back, of plan cccccccccccc:\n  Logical_Switch_Port port-a2\n  Logical_Switch_Port port-a1',
      ).replace(/\n {2}/g, '\n  '),
    });
    expect(waiting()).toMatchObject([
      { type: 'undo', of: action('b').id },
      { type: 'undo', of: 'c'.repeat(64) },
    ]);
    expect((await say('undo', 'b', '--withdraw')).code).toBe(0);
    expect(waiting().at(-1)).toMatchObject({ type: 'withdraw', of: `undo/${action('b').id}` });
  });

  it('reads beside the pipeline that writes', async () => {
    await onLog(async (log) => {
      await log.append(ACTIONS, PARTITION, [
        { key: action('a').id, value: JSON.stringify(action('a')), timestamp: 1 },
      ]);
      expect((await say('undo', 'a')).code).toBe(0);
    });
  });

  it.each<[string, string, RegExp]>([
    ['what was not done', 'a3', /nothing to put back of action a30000000000: it is refused/],
    ['what was put back', 'a4', /it is undone/],
    ['an id there is not', 'x', /No action or plan begins with "x"/],
    ['an id that begins several', 'a', /give more of the id/],
  ])('refuses %s', async (_, id, says) => {
    await did(
      action('a3', { state: 'refused', undo: null }),
      action('a4'),
      action('a4', { state: 'undone', revision: 4 }),
    );
    expect(await say('undo', id)).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(says),
    });
    expect(waiting()).toEqual([]);
  });

  it('makes no log where there is none', async () => {
    mkdirSync(join(state, 'empty'));
    expect(await steward(['undo', 'a', '--state-dir', join(state, 'empty')])).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/no event log/),
    });
  });
});
