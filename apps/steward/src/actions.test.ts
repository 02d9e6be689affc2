import { openStateFile, type StateFile } from '@ovn-steward/shared/log/state-file';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ledger } from '@ovn-steward/executor';
import { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { TOPICS } from '@ovn-steward/shared/log/topics';
import { actionsTable, actionText } from './output/actions-text';
import { steward } from './testing/cli';

const sample = (name: string): ActionRecord =>
  ActionRecord.parse(
    JSON.parse(
      readFileSync(
        join(__dirname, '../../../contracts/examples', `action.v1.${name}.json`),
        'utf8',
      ),
    ),
  );
const [CLAIMED, DONE, DEFERRED, UNDONE, FAILED] = [
  'claimed',
  'done',
  'deferred',
  'undone',
  'failed',
].map(sample) as [ActionRecord, ActionRecord, ActionRecord, ActionRecord, ActionRecord];

describe('steward actions', () => {
  let state: string;
  let file: StateFile | undefined;
  beforeEach(() => (state = mkdtempSync(join(tmpdir(), 'steward-actions-'))));
  afterEach(() => {
    file?.close();
    file = undefined;
    rmSync(state, { recursive: true });
  });
  const known = (...actions: ActionRecord[]): void =>
    new Ledger((file = openStateFile(join(state, 'executor.db')))).write(actions);
  const actions = (...args: string[]) => steward(['actions', ...args, '--state-dir', state]);

  it('lists what was decided, the oldest first, beside the executor that holds the memory', async () => {
    known(DONE, CLAIMED, DEFERRED, UNDONE);
    const { code, stdout, stderr } = await actions();
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n')).toEqual([
      `2026-03-02T10:44:12.803Z claimed     ${CLAIMED.id.slice(0, 12)} delete-logical-switch-port Logical_Switch_Port web-0.shop: jana approved it. (claimed)`,
      `2026-03-02T11:02:40.118Z done        ${DONE.id.slice(0, 12)} remove-load-balancer-vip Load_Balancer cluster-tcp-loadbalancer vips 10.102.100.23:8443: The entry was removed from cluster-tcp-loadbalancer. (done)`,
      expect.stringMatching(/^2026-03-02T11:05:00.000Z deferred .* \(ceiling\)$/),
      expect.stringMatching(/ undone {6}.* delete-ip IP web-1.shop: /),
      '4 actions: 1 claimed, 1 done, 1 deferred, 1 undone. Next: steward actions <id> shows all about one.',
      '',
    ]);
    expect((await actions('--full-ids', '--state', 'done')).stdout).toContain(` ${DONE.id} `);
  });

  it('says of what cannot be settled since when, how often it was tried, why and when next, in one line each', async () => {
    const unsettled = {
      since: '2026-03-02T10:45:00.000Z',
      failures: 4,
      why: 'no such table\nDROP',
      nextTryAt: '2026-03-02T10:46:00.000Z',
    };
    known({ ...CLAIMED, unsettled }, DONE);
    const said =
      'not settled since 2026-03-02T10:45:00.000Z, tried 4 times or more: no such table DROP; next try at 2026-03-02T10:46:00.000Z, then every 30 s';
    const { stdout } = await actions();
    expect(stdout.split('\n')[1]).toBe(`  ${said}`);
    expect(stdout).toContain(
      '1 cannot be settled; to end one as failed: steward give-up <id> --reason <text>. ',
    );
    expect((await actions(CLAIMED.id)).stdout).toContain(
      `  ${said}\n  To end it as failed: steward give-up ${CLAIMED.id.slice(0, 12)} --reason <text>\n`,
    );
  });

  it.each<[string[], ActionRecord[]]>([
    [['--state', 'done'], [DONE]],
    [
      ['--rule', 'stale-load-balancer-vip'],
      [DONE, DEFERRED],
    ],
    [['--plan', DONE.plan!], [DONE]],
    [['--cluster', 'athens'], []],
  ])('with %j only those', async (args, expected) => {
    known(DONE, CLAIMED, DEFERRED);
    expect(JSON.parse((await actions(...args, '--output', 'json')).stdout)).toEqual(expected);
  });

  it('refuses a rule that never was, and takes one of which there are records', async () => {
    known({ ...DONE, rule: 'of-an-earlier-version' });
    expect((await actions('--rule', 'of-an-earlier-version')).stdout).toContain('1 action: 1 done');
    expect(await actions('--rule', 'leaked-ips')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('There is no rule "leaked-ips"; did you mean "leaked-ip"?'),
    });
  });

  it('shows everything about one, by the beginning of its id', async () => {
    known(DONE, CLAIMED);
    const { code, stdout } = await actions(CLAIMED.id.slice(0, 8));
    expect([code, stdout]).toEqual([0, actionText(CLAIMED)]);
    expect(JSON.parse((await actions(DONE.id, '--output', 'json')).stdout)).toEqual(DONE);
  });

  it.each<[string, string[], RegExp]>([
    [
      'an id that nothing has',
      ['nowhere'],
      /No action begins with "nowhere"; list them with steward actions/,
    ],
    ['a state there is not', ['--state', 'gone'], /choices/],
    ['two logs', ['--kafka-brokers', 'localhost:1'], /name the one log/],
  ])('refuses %s in one sentence', async (_, args, says) => {
    known(DONE);
    expect(await actions(...args)).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(says),
    });
  });

  it('says that there is no memory, or nothing in it, and makes none', async () => {
    expect(await actions()).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/no executor has worked with this state directory/),
    });
    const log = openSqliteLog({ file: join(state, 'log.db') });
    await log.ensureTopics(TOPICS);
    await log.close();
    expect((await actions()).code).toBe(1);
    known();
    expect(await actions()).toEqual({
      code: 3,
      stdout: 'No actions.\n',
      stderr: expect.stringContaining('Nothing has been collected yet'),
    });
  });
});

describe('an action for a person', () => {
  it('says what would be put back, in which case, and what to call', () => {
    expect(actionText(CLAIMED)).toContain(
      'Undoing it\n  if it is removed, this would be put back:\n  Logical_Switch_Port web-0.shop with addresses, external_ids, name, port_security\n  held by Logical_Switch ovn-default in its ports\n  referred to by Port_Group ovn.default.shop in its ports\n',
    );
    expect(actionText(DONE)).toContain(
      `  entry 10.102.100.23:8443 = 10.16.0.20:8443 of vips in Load_Balancer cluster-tcp-loadbalancer\n  steward undo ${DONE.id.slice(0, 12)} has it put back\n`,
    );
    expect(actionText(UNDONE)).toContain('  it was put back:\n  IP web-1.shop\n');
    expect(actionText(FAILED)).toContain('  /metadata/finalizers/0 of Vip gone\n');
    expect(actionText(DEFERRED)).toContain('  nothing was removed\n');
    expect(actionText({ ...DONE, undo: null })).toContain(
      '  nothing is stored that would undo it\n',
    );
  });

  it('says why, and who allowed it', () => {
    expect(actionText(DONE)).toMatch(
      /approved by jana\n {2}no Service has 10\.102\.100\.23 as its spec\.clusterIPs\n/,
    );
    expect(actionText(DONE)).toContain(`  plan ${DONE.plan}\n`);
  });

  it('shows words of a later version as they are, and nothing that a terminal obeys', () => {
    const later = {
      ...DONE,
      state: 'constructor',
      undo: { of: 'snapshot' },
      proof: [{ fact: 'quorum' }],
      reason: 'x\u001b[31m\n',
      target: { ...DONE.target, name: '\u202eevil' },
    } as unknown as ActionRecord;
    const text = actionText(later) + actionsTable([later], { fullIds: false });
    expect(text).toContain('constructor');
    expect(text).toContain('a fact that only a later version knows');
    expect(text).toContain('in a way this version does not know');
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });
});
