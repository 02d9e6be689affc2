import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase, operation, type Session } from '@ovn-steward/ovsdb';
import { describeWith, kubernetes, ovn } from '@ovn-steward/testbed/fixture';
import { type KubernetesServer, startKubernetes } from '@ovn-steward/testbed/kubernetes';
import { type OvnServer, startOvnStandalone } from '@ovn-steward/testbed/ovn';
import { recording } from '@ovn-steward/testbed/recordings';
import { type Plan, readPlan } from '@ovn-steward/executor';
import { liveNorthbound } from '@ovn-steward/systems/northbound/live-northbound';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { NO_GRACE_SETTINGS } from '@ovn-steward/judgement/testing/grace';
import { type Outcome, startSteward, steward } from './testing/cli';
import { lead } from './testing/lead';

const WIDE = { least: 100_000, share: 1, most: 100_000 };
const SETTINGS = {
  cluster: 'berlin-1',
  grace: NO_GRACE_SETTINGS,
  executor: {
    mode: 'propose',
    rate: { perSecond: 1000, burst: 1000 },
    ceilings: { rule: WIDE, subnet: WIDE, vpc: WIDE, cluster: WIDE },
    yield: { afterLease: '0s' },
  },
};

describeWith(ovn, 'with a living OVN', () => {
  describeWith(kubernetes, 'and a living Kubernetes', () => {
    let folder = '';
    let database: OvnServer;
    let cluster: KubernetesServer;
    let session: Session;
    let resign: (() => Promise<void>) | undefined;
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'steward-plan-'));
      database = await startOvnStandalone({ database: recording('leaky', 'nb.db') });
      cluster = await startKubernetes({ recording: recording('leaky', 'kubernetes.json') });
      resign = lead(cluster.api, { finishes: true });
      session = await openDatabase({ remotes: database.remote, database: 'OVN_Northbound' });
      writeFileSync(
        join(folder, 'steward.yaml'),
        JSON.stringify({ ...SETTINGS, stateDir: join(folder, 'state') }),
      );
    });
    afterAll(async () => {
      await resign?.();
      session?.close();
      await cluster?.stop();
      await database?.stop();
      rmSync(folder, { recursive: true });
    });

    const inputs = (): string[] => [
      '--ovn-nb',
      database.remote,
      '--kubernetes',
      cluster.kubeconfig,
      '--config',
      join(folder, 'steward.yaml'),
    ];
    const say = (...args: string[]): Promise<Outcome> => steward([...args, ...inputs()]);
    const report = (...args: string[]): Promise<Outcome> =>
      steward([...args, '--config', join(folder, 'steward.yaml')]);
    const file = (name: string): string => join(folder, name);
    const planned = async (name: string, ...args: string[]): Promise<Plan> => {
      const { code, stderr } = await say('plan', '--out', file(name), ...args);
      expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
      return readPlan(readFileSync(file(name), 'utf8'), name);
    };
    const transact = async (...operations: Parameters<Session['transact']>[0]): Promise<void> =>
      void (await session.transact(operations));
    /** Of the targets in OVN that are removed whole, those that are there. */
    const standing = async ({ entries }: Plan): Promise<string[]> => {
      const rows = entries.filter(
        (it) => it.target.source === 'ovn-nb' && it.target.part === undefined,
      );
      const read = await session.transact(
        rows.map(({ target }) =>
          operation.select(target.kind, operation.byUuid(target.uid), ['_uuid']),
        ),
      );
      return rows
        .filter((_, index) => {
          const result = read.results[index];
          return result?.kind === 'selected' && result.rows.length > 0;
        })
        .map(({ target }) => `${target.kind} ${target.name}`);
    };
    const named = async (table: string, name: string): Promise<number> => {
      const {
        results: [result],
      } = await session.transact([operation.select(table, [['name', '==', name]], ['_uuid'])]);
      return result?.kind === 'selected' ? result.rows.length : 0;
    };

    test('a plan of one audit is read, held against the systems, and refused when it is not what it was, or they are not', async () => {
      const plan = await planned('look.yaml');
      expect(plan.entries.length).toBeGreaterThan(20);
      const there = await standing(plan);
      expect(existsSync(join(folder, 'state', 'log.db'))).toBe(false);
      expect(await say('apply', file('look.yaml'), '--dry-run')).toMatchObject({
        code: 2,
        stdout: expect.stringContaining(`The plan holds: ${plan.entries.length} would be done`),
      });
      expect(await say('plan', '--out', file('look.yaml'))).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/exists: name another/),
      });

      writeFileSync(
        file('altered.yaml'),
        readFileSync(file('look.yaml'), 'utf8').replace(
          plan.entries[0]!.target.uid,
          plan.entries[1]!.target.uid,
        ),
      );
      expect(await say('apply', file('altered.yaml'))).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/is not as it was made/),
      });
      expect(await say('apply', file('look.yaml'), '--cluster', 'paris-1')).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/for the cluster berlin-1, and this is paris-1/),
      });

      const set = plan.entries.find((it) => it.target.kind === 'Address_Set')!;
      await transact(
        operation.mutate('Address_Set', operation.byUuid(set.target.uid), [
          ['addresses', 'insert', '10.250.0.1'],
        ]),
      );
      expect(await say('apply', file('look.yaml'))).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(
          new RegExp(
            `1 of the ${plan.entries.length} things .*Address_Set ${set.target.name.replaceAll('.', '\\.')}: it was changed`,
          ),
        ),
      });
      await transact(
        operation.mutate('Address_Set', operation.byUuid(set.target.uid), [
          ['addresses', 'delete', '10.250.0.1'],
        ]),
      );
      expect(await standing(plan)).toEqual(there);
    });

    test('what was seen only once has to ripen', async () => {
      writeFileSync(
        file('slow.yaml'),
        JSON.stringify({
          ...SETTINGS,
          stateDir: join(folder, 'state'),
          grace: { ...SETTINGS.grace, garbage: '1h' },
        }),
      );
      const { code } = await steward([
        'plan',
        '--out',
        file('unripe.yaml'),
        ...inputs().slice(0, 4),
        '--config',
        file('slow.yaml'),
      ]);
      expect(code).toBe(2);
      expect(await say('apply', file('unripe.yaml'))).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/seen only once when it was made, and are left alone until/),
      });
    });

    test('without a file, what was seen only once is refused before anybody is asked, and waited for by --wait', async () => {
      const slow = (grace: string): string[] => {
        writeFileSync(
          file('slow.yaml'),
          JSON.stringify({
            ...SETTINGS,
            stateDir: join(folder, 'state'),
            grace: { ...SETTINGS.grace, garbage: grace },
          }),
        );
        return [
          'apply',
          '--rule',
          'orphaned-load-balancer',
          '--limit',
          '1',
          '--look',
          '--yes',
          '--by',
          'anna',
          ...inputs().slice(0, 4),
          '--config',
          file('slow.yaml'),
        ];
      };
      const refused = await steward(slow('1h'));
      expect(refused).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(
          /left alone until .*Nothing was done\. Add --wait, and the plan is proven again .*steward plan --out <file>/,
        ),
      });
      expect(refused.stdout).toContain('delete-load-balancer');

      const began = Date.now();
      const waited = await steward([...slow('4s'), '--wait']);
      expect(waited).toMatchObject({
        code: 0,
        stderr: expect.stringMatching(
          /^Waiting until \S+Z, when all of it is ripe; Ctrl-C ends it, and nothing of this plan is done\.\n$/,
        ),
        stdout: expect.stringContaining('Of 1: 1 done.'),
      });
      expect(Date.now() - began).toBeGreaterThan(4000);
    });

    test('where no pipeline runs the plan is carried out here, respecting what waits in the inbox', async () => {
      const plan = await planned(
        'few.yaml',
        '--rule',
        'orphaned-logical-router-policy',
        '--limit',
        '3',
      );
      expect(
        (await report('hold', '--rule', plan.entries[0]!.rule, '--reason', 'maintenance')).code,
      ).toBe(3);
      const held = await say('apply', file('few.yaml'), '--by', 'anna', '--output', 'json');
      const heldActions = (JSON.parse(held.stdout) as { actions: ActionRecord[] }).actions;
      expect(held.code).toBe(2);
      expect(heldActions.find((it) => it.id === plan.entries[0]!.id)).toMatchObject({
        state: 'deferred',
        code: 'held',
        reason: expect.stringContaining('maintenance'),
      });
      expect((await report('resume', '--rule', plan.entries[0]!.rule)).code).toBe(3);

      const again = await planned(
        'again.yaml',
        '--rule',
        'orphaned-logical-router-policy',
        '--limit',
        '3',
      );
      const applied = await say('apply', file('again.yaml'), '--by', 'anna');
      expect(applied).toMatchObject({
        code: 0,
        stderr: '',
        stdout: expect.stringContaining(
          `To have it put back: steward undo ${again.id} --config ${join(folder, 'steward.yaml')} --ovn-nb ${database.remote} --kubernetes ${cluster.kubeconfig}\n`,
        ),
      });
      expect(await standing(again)).toEqual([]);
      expect(await say('apply', file('again.yaml'))).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/moved since it was made/),
      });
    });

    test('with --wait a hold is waited for, also where the plan is carried out here', async () => {
      const rule = 'orphaned-logical-router-policy';
      await planned('waiting.yaml', '--rule', rule, '--limit', '1');
      expect((await report('hold', '--rule', rule, '--reason', 'maintenance')).code).toBe(3);
      const waiting = say('apply', file('waiting.yaml'), '--by', 'anna', '--wait');
      expect(await Promise.race([waiting, sleep(8000, 'it waits')])).toBe('it waits');
      expect((await report('resume', '--rule', rule)).code).toBe(0);
      expect(await waiting).toMatchObject({ code: 0, stderr: '' });
    });

    test('without a file a plan is made now, shown, and carried out only by a yes', async () => {
      const request = [
        'apply',
        '--rule',
        'orphaned-logical-router-policy',
        '--limit',
        '2',
        '--look',
      ];
      expect(
        await say('apply', file('few.yaml'), '--rule', 'orphaned-logical-router-policy'),
      ).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/says what is done: leave out/),
      });
      expect(await say('apply', '--rule', 'no-such-rule')).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/no-such-rule/),
      });
      const plan = await planned('seen.yaml', ...request.slice(1));
      const shown = await say(...request);
      expect(shown).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('run the command again with --yes'),
      });
      for (const { target } of plan.entries) expect(shown.stdout).toContain(target.uid);
      expect(await say(...request, '--dry-run')).toMatchObject({
        code: 2,
        stderr: '',
        stdout: expect.stringContaining('The plan holds: 2 would be done'),
      });
      expect(await standing(plan)).toHaveLength(2);

      const tight = file('tight.yaml');
      const ONE = { least: 1, share: 0, most: 1 };
      const executor = { ...SETTINGS.executor, ceilings: { cluster: ONE } };
      writeFileSync(tight, JSON.stringify({ ...SETTINGS, executor, stateDir: file('tight') }));
      const below = [...request, ...inputs().slice(0, 4), '--config', tight, '--output', 'json'];
      const foreseen = await steward([...below, '--dry-run']);
      expect(JSON.parse(foreseen.stdout)).toMatchObject({
        wouldDo: [],
        wouldNotDo: [{ code: 'ceiling' }, { code: 'ceiling' }],
      });
      const attempted = await steward([...below, '--yes']);
      expect(JSON.parse(attempted.stdout)).toMatchObject({
        actions: [
          { state: 'deferred', code: 'ceiling' },
          { state: 'deferred', code: 'ceiling' },
        ],
      });
      expect(await standing(plan)).toHaveLength(2);

      const applied = await say(...request, '--yes', '--by', 'anna', '--output', 'json');
      expect(applied).toMatchObject({ code: 0, stderr: '' });
      expect(
        (JSON.parse(applied.stdout) as { actions: ActionRecord[] }).actions.map((action) => [
          action.state,
          action.approvedBy,
          action.target.uid,
        ]),
      ).toEqual(plan.entries.map(({ target }) => ['done', 'anna', target.uid]));
      expect(await standing(plan)).toEqual([]);
    });

    test('where an executor on another log acts, nothing is done here unless it is taken over', async () => {
      const plan = await planned(
        'elsewhere.yaml',
        '--rule',
        'orphaned-logical-router-policy',
        '--limit',
        '1',
        '--look',
      );
      const there = await standing(plan);
      const other = liveNorthbound({ remotes: database.remote });
      await other.queueForLock(new AbortController().signal);
      try {
        const refused = {
          code: 1,
          stdout: '',
          stderr: expect.stringMatching(
            /^steward: Another executor acts on .*Name its log.*--take-over/,
          ),
        };
        expect(await say('apply', file('elsewhere.yaml'))).toMatchObject(refused);
        expect(await standing(plan)).toEqual(there);
        expect(
          (await say('apply', file('elsewhere.yaml'), '--take-over', '--output', 'json')).code,
        ).toBe(0);
        expect(await standing(plan)).toEqual([]);
        await other.takeOver(new AbortController().signal);
        expect(await say('undo', plan.id)).toMatchObject(refused);
        expect(await standing(plan)).toEqual([]);
      } finally {
        await other.close();
      }
      expect(await say('undo', plan.id)).toMatchObject({ code: 0, stderr: '' });
      expect(await standing(plan)).toEqual(there);
    });

    test('an executor that was killed is in nobody’s way', async () => {
      writeFileSync(
        file('crashing.yaml'),
        JSON.stringify({ ...SETTINGS, stateDir: join(folder, 'crashing') }),
      );
      const crashing = startSteward([
        'run',
        ...inputs().slice(0, 4),
        '--config',
        file('crashing.yaml'),
      ]);
      const isHeld = async (): Promise<boolean> => {
        const requests = liveNorthbound({ remotes: database.remote, steals: false });
        return requests
          .takeOver(new AbortController().signal)
          .then(
            () => false,
            () => true,
          )
          .finally(() => requests.close());
      };
      for (let tries = 0; !(await isHeld()); tries += 1) {
        if (tries > 100) throw new Error('the pipeline never stood by');
        await sleep(100);
      }
      const ended = new Promise((resolve) => crashing.on('close', resolve));
      crashing.kill('SIGKILL');
      await ended;
      expect(await isHeld()).toBe(false);
    });

    describe('beside a pipeline that runs', () => {
      let running: ChildProcess;
      let said = '';
      beforeAll(async () => {
        running = startSteward(['run', ...inputs()]);
        for (const stream of [running.stdout!, running.stderr!])
          stream.setEncoding('utf8').on('data', (text: string) => {
            said += text;
          });
        for (let tries = 0; (said.match(/^suspected /gm) ?? []).length < 20; tries += 1) {
          if (tries > 1000) throw new Error(`the pipeline found nothing:\n${said}`);
          await sleep(100);
        }
      }, 150_000);
      afterAll(async () => {
        const ended = new Promise((resolve) => running.on('close', resolve));
        running.kill('SIGTERM');
        await ended;
      });

      test('a plan is handed over and followed to its end, and undone by a word', async () => {
        const plan = await planned(
          'over.yaml',
          '--rule',
          'orphaned-address-set',
          'orphaned-port-group',
          '--look',
        );
        const before = await standing(plan);
        expect(before.length).toBeGreaterThan(2);
        const applied = await say('apply', file('over.yaml'), '--by', 'anna', '--output', 'json');
        const { actions } = JSON.parse(applied.stdout) as { actions: ActionRecord[] };
        expect({
          code: applied.code,
          stderr: applied.stderr,
          states: actions.map((it) => [it.state, it.approvedBy, it.plan]),
        }).toEqual({
          code: 0,
          stderr: '',
          states: plan.entries.map(() => ['done', 'anna', plan.id]),
        });
        expect(await standing(plan)).toEqual([]);

        const undone = await report('undo', plan.id.slice(0, 12));
        expect(undone).toMatchObject({
          code: 0,
          stdout: expect.stringContaining('The pipeline that runs on'),
        });
        for (
          let tries = 0;
          (
            await Promise.all(before.map((it) => named(...(it.split(' ') as [string, string]))))
          ).some((it) => it !== 1);
          tries += 1
        ) {
          if (tries > 200) throw new Error(`it did not come back:\n${said.slice(-2000)}`);
          await sleep(100);
        }
      });

      test('a hold is respected by a plan that comes after it', async () => {
        const plan = await planned('held.yaml', '--limit', '3', '--look');
        expect((await report('hold', '--reason', 'maintenance')).stdout).toContain('has taken it');
        const applied = await say('apply', file('held.yaml'), '--output', 'json');
        const { actions } = JSON.parse(applied.stdout) as { actions: ActionRecord[] };
        expect([applied.code, actions.map((it) => it.code)]).toEqual([
          2,
          plan.entries.map(() => 'held'),
        ]);
        const there = await standing(plan);
        expect((await report('resume')).code).toBe(0);
        await sleep(3000); // it was withdrawn: nothing happens when nobody reads it
        expect(await standing(plan)).toEqual(there);
      });
    });
  });
});
