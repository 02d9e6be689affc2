import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, operation } from '@ovn-steward/ovsdb';
import { kubeAccess } from '@ovn-steward/systems/kubernetes/kube-access';
import { Failure } from '@ovn-steward/shared/errors';
import type { Control } from '@ovn-steward/contracts/control/control';
import { openSqliteLog } from '@ovn-steward/shared/log/sqlite-log';
import { CONTROL, TOPICS } from '@ovn-steward/shared/log/topics';
import { describeWith, kubernetes, ovn } from '@ovn-steward/testbed/fixture';
import { startKubernetes } from '@ovn-steward/testbed/kubernetes';
import { startOvnStandalone } from '@ovn-steward/testbed/ovn';
import { recording } from '@ovn-steward/testbed/recordings';
import { actionOf } from '../actions/registry';
import { liveKubernetes } from '@ovn-steward/systems/kubernetes/live-kubernetes';
import { liveNorthbound } from '@ovn-steward/systems/northbound/live-northbound';
import { buildPlan } from '../plan/build';
import type { Proposal } from '../findings/proposal';
import { createProver } from '../prove/prover';
import { openStateFile } from '@ovn-steward/shared/log/state-file';
import { Ledger } from '../ledger/ledger';
import type { Systems } from '@ovn-steward/systems/systems';
import { OPEN_LIMITS, recordedProposals, scene, type Scene } from '../testing/acting';
import { decision, controlEntry } from '../testing/controls';
import { identityOf } from '../testing/identities';
import { KUBE_OVN, RECORDED_CLUSTER } from '../testing/recorded-engine';

const never = new AbortController().signal;
const LOST = new Failure('source-unreachable', 'no answer');

interface Bed {
  readonly systems: Systems;
  /** All rows there are, in their versions, and all addresses. */
  content(): Promise<unknown>;
  /** Other connections to the same, as another process has. */
  again(): Systems;
  stop(): Promise<void>;
}

/** @param rebuilt whether its Northbound was recreated, and filled again. */
async function start(rebuilt: boolean): Promise<Bed> {
  const [nb, api] = await Promise.all([
    startOvnStandalone({ database: recording('leaky', 'nb.db') }),
    startKubernetes({ recording: recording('leaky', 'kubernetes.json') }),
  ]);
  if (rebuilt) {
    const session = await openDatabase({ remotes: nb.remote, database: 'OVN_Northbound' });
    await session.transact([operation.remove('NB_Global', []), operation.insert('NB_Global', {})], {
      everyRow: true,
    });
    session.close();
  }
  const opened: Systems[] = [];
  const again = (): Systems => {
    const live = {
      northbound: liveNorthbound({ remotes: nb.remote }),
      kubernetes: liveKubernetes({ access: kubeAccess({ kubeconfig: api.kubeconfig }) }),
    };
    opened.push(live);
    return live;
  };
  const systems = again();
  return {
    systems,
    again,
    async content() {
      const { tables } = await systems.northbound.schema(never);
      const rows = await systems.northbound.read(
        [...tables.keys()].map((it) => operation.select(it, [])),
        never,
      );
      return [rows, await systems.kubernetes.list('IP', undefined, never)];
    },
    async stop() {
      for (const it of opened) await Promise.all([it.northbound.close(), it.kubernetes.close()]);
      await Promise.all([nb.stop(), api.stop()]);
    },
  };
}

describeWith(ovn, 'with real Northbounds', () =>
  describeWith(kubernetes, 'and real Kubernetes', () => {
    let a: Bed | undefined;
    let b: Bed | undefined;
    let folder: string;
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'other-cluster-'));
      [a, b] = await Promise.all([start(false), start(true)]);
    }, 180_000);
    afterAll(async () => {
      await Promise.all([a?.stop(), b?.stop()]);
      rmSync(folder, { recursive: true });
    });

    /** A process on the one state folder, to which these systems answer. */
    async function process<T>(
      bed: Bed,
      proposals: readonly Proposal[],
      use: (it: Scene, decide: (reported: object) => Promise<void>) => Promise<T>,
      fence: () => Promise<void> = () => Promise.resolve(),
    ): Promise<T> {
      const log = openSqliteLog({ file: join(folder, 'log.db') });
      await log.ensureTopics(TOPICS);
      const file = openStateFile(join(folder, 'executor.db'));
      const executor = scene(bed.again(), () => proposals, OPEN_LIMITS, {
        log,
        file,
        ledger: new Ledger(file),
        fence,
      });
      try {
        return await use(executor, async (reported) => {
          const control = decision({
            ...reported,
            cluster: RECORDED_CLUSTER,
            at: new Date().toISOString(),
          } as unknown as Parameters<typeof decision>[0]) as Control;
          await log.append(CONTROL, executor.options.partition, [controlEntry(control)]);
        });
      } finally {
        await executor.close();
        await log.close();
        file.close();
      }
    }
    const stands = ({ options: { ledger } }: Scene): string[] =>
      ledger
        .list({ cluster: RECORDED_CLUSTER })
        .map(({ state, code }) => `${state} ${code}`)
        .sort();
    const refused = ({ events }: Scene): string[] =>
      events.flatMap((it) => (it.type === 'other-cluster' ? [it.what] : [])).sort();

    test('the folder of one cluster on the systems of another of its name: nothing is written there, before and after it is adopted', async () => {
      const found = (await recordedProposals('leaky')).filter(
        (it) =>
          it.rule === 'orphaned-port-group' && it.proof.some((fact) => fact.fact === 'absent'),
      );
      expect(found.length).toBeGreaterThan(1);
      const [first, second] = found as [Proposal, Proposal];
      const plan = await buildPlan({
        proposals: (await recordedProposals('leaky')).filter(
          (it) => it.rule === 'orphaned-load-balancer',
        ),
        graceOf: () => 0,
        prover: createProver({
          cluster: RECORDED_CLUSTER,
          systems: a!.systems,
          isProtected: () => false,
          kubeOvn: KUBE_OVN,
        }),
        systems: a!.systems,
        actionOf,
        cluster: RECORDED_CLUSTER,
        now: () => new Date(),
        validMs: 3_600_000,
        signal: never,
      });
      expect(plan.entries.length).toBeGreaterThan(0);

      // In A one thing is removed, and a process dies with a claim on another. Then it is wanted
      // back, and a plan is approved.
      const done = await process(a!, [first], async (executor) => {
        await executor.turns(1);
        expect(stands(executor)).toEqual(['done done']);
        return executor.options.ledger.list({ cluster: RECORDED_CLUSTER })[0]!.id;
      });
      await process(
        a!,
        [second],
        async (executor, decide) => {
          await executor.turns(1);
          await decide({ type: 'undo', of: done });
          await decide({ type: 'plan', plan: { ...plan }, overCeilings: false });
        },
        () => Promise.reject(LOST),
      );

      const before = await b!.content();
      expect(await identityOf(b!.systems)).not.toEqual(await identityOf(a!.systems));
      await process(b!, found, async (executor) => {
        await executor.turns(3);
        expect(stands(executor)).toEqual(['claimed claimed', 'done done']);
        expect(refused(executor)).toEqual(['turn', 'turn', 'turn']);
      });
      expect(await b!.content()).toEqual(before);

      const to = await identityOf(b!.systems);
      await process(b!, [], async (executor, decide) => {
        await decide({ type: 'adopt', to, unnamed: false, reason: 'rebuilt' });
        await executor.turns(3);
        expect(refused(executor)).toEqual(['claim', 'plan', 'undo']);
        expect(stands(executor)).toEqual([
          ...plan.entries.map(() => 'deferred other-cluster'),
          'done other-cluster',
          'failed other-cluster',
        ]);
      });
      expect(await b!.content()).toEqual(before);
    });
  }),
);
