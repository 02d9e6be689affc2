import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Undo } from '@ovn-steward/contracts/actions/undo';
import { liveNorthbound } from '@ovn-steward/systems/northbound/live-northbound';
import type { Northbound } from '@ovn-steward/systems/northbound/northbound';
import { memoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import { describeWith, ovn } from '@ovn-steward/testbed/fixture';
import { type WatchedIncident, watchIncident } from '../../../../e2e/incidents/watched-incident';
import { openStateFile } from '@ovn-steward/shared/log/state-file';
import { until } from '@ovn-steward/shared/testing/until';
import { isProposal, type Proposal } from '../findings/proposal';
import { Failure } from '@ovn-steward/shared/errors';
import { itemOf } from '../gate/item';
import { type Scene, scene } from '../testing/acting';
import { Ledger } from '../ledger/ledger';
import { decision } from '../testing/controls';
import { RECORDED_CLUSTER } from '../testing/recorded-engine';
import { withWorker } from './act';
import { LedgerWriter } from './ledger-writer';

const ENFORCED = { rules: { 'neighbour-damaged': 'enforce' } };
const isDone = ({ state }: { readonly state: string }): boolean => state === 'done';

describeWith(ovn, 'the recorded incident on a living Northbound', () => {
  let incident: WatchedIncident;
  let live: Northbound;
  let acting: Scene;

  /** An executor that runs on it, in its own turns. */
  async function work(
    executor: object,
    more: Parameters<typeof scene>[3] = {},
    through = (northbound: Northbound) => northbound,
    found = (damage: readonly Proposal[]) => damage,
  ): Promise<{ readonly ended: () => Promise<void> }> {
    const kubernetes = memoryKubernetes();
    for (const it of incident.objects) kubernetes.put(it as never);
    live = liveNorthbound({ remotes: incident.server.remote });
    const proposals = () => found(incident.damage().filter(isProposal));
    acting = scene({ northbound: through(live), kubernetes }, proposals, executor, more);
    await acting.turns(0);
    return running();
  }

  function running(): { readonly ended: () => Promise<void> } {
    const stop = new AbortController();
    const working = withWorker(acting.options, stop.signal, (worker, running) =>
      worker.run(running),
    );
    working.catch(() => undefined); // `ended` reports it
    return {
      async ended() {
        stop.abort();
        await working;
      },
    };
  }

  const statesAndCodes = (): ReadonlySet<string> =>
    new Set(acting.actions().map(({ state, code }) => `${state} ${code}`));

  /** As if rows had been put back so many times a moment ago, without a person. */
  function restoredBefore(damaged: Proposal, times: number): void {
    const writer = new LedgerWriter({
      ledger: acting.ledger,
      executor: 'this',
      identity: () => undefined,
      clock: () => new Date(),
      onAction: () => undefined,
    });
    for (let time = 1; time <= times; time += 1) {
      const item = itemOf(
        { ...damaged, id: `${damaged.id.slice(0, -1)}${time}` },
        'enforce',
        undefined,
      );
      const undo: Undo = { of: 'rows', rows: [], links: [] };
      writer.write(item, {
        state: 'claimed',
        code: 'claimed',
        reason: 'the rule is enforced',
        undo,
      });
      writer.write(item, { state: 'done', code: 'done', reason: `time ${time}` });
    }
  }

  beforeEach(async () => (incident = await watchIncident(RECORDED_CLUSTER)));
  afterEach(async () => {
    await acting.close();
    await live.close();
    await incident.stop();
  });

  test('is undone at once where the settings name the rule', async () => {
    const worker = await work(ENFORCED);
    expect(await incident.happen()).toBeGreaterThan(70);
    await until(
      () => incident.damage().length === 0 && acting.actions().every(isDone),
      'all damage to be gone, and all actions to be done',
    );
    await worker.ended();
    expect(await incident.different()).toEqual([]);
    expect(acting.actions().length).toBeGreaterThan(10);
    expect(new Set(acting.actions().map(({ code }) => code))).toEqual(new Set(['done']));
  });

  test('is not undone while a hold is in force', async () => {
    const worker = await work(ENFORCED);
    const cluster = RECORDED_CLUSTER;
    const hold = { type: 'hold', scope: {}, reason: 'maintenance', until: null } as const;
    await acting.decide(decision({ ...hold, cluster, at: new Date().toISOString() }));
    await incident.happen();
    await until(
      () => acting.actions().length >= incident.damage().length,
      'an action for each damage',
    );
    await new Promise((resolve) => setTimeout(resolve, 12_000)); // longer than it waits for quiet
    await worker.ended();
    expect(statesAndCodes()).toEqual(new Set(['deferred held']));
    expect((await incident.different()).length).toBeGreaterThan(70);
  });

  test('waits for a person once it was undone three times within the hour', async () => {
    const worker = await work(ENFORCED);
    await incident.happen();
    const [damaged] = incident.damage().filter(isProposal);
    restoredBefore(damaged!, 3);
    await until(
      () => acting.actions().length >= incident.damage().length + 3,
      'three actions more than damages',
    );
    await new Promise((resolve) => setTimeout(resolve, 12_000));
    await worker.ended();
    expect(statesAndCodes()).toEqual(new Set(['done done', 'deferred ceiling']));
    expect((await incident.different()).length).toBeGreaterThan(70);
  });

  test('is undone by the next executor where one died after its claim', async () => {
    const died = new Failure('log-partition-lost', 'killed');
    let dies = true;
    let hasDied = false;
    const fence = (): Promise<void> => {
      hasDied = dies;
      return dies ? Promise.reject(died) : Promise.resolve();
    };
    const first = await work(ENFORCED, { fence });
    await incident.happen();
    await until(() => hasDied, 'the first executor to die');
    await expect(first.ended()).rejects.toBe(died);
    expect(statesAndCodes()).toEqual(new Set(['claimed claimed']));
    expect((await incident.different()).length).toBeGreaterThan(70);
    dies = false;
    const next = running();
    await until(
      () => incident.damage().length === 0 && acting.actions().every(isDone),
      'all damage to be gone, and all actions to be done',
    );
    await next.ended();
    expect(await incident.different()).toEqual([]);
  });

  test('is put off where the folder for the backup of before cannot be made', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'restore-damaged-'));
    writeFileSync(join(folder, 'before-restore'), 'a file');
    const file = openStateFile(join(folder, 'executor.db'));
    const worker = await work(ENFORCED, { file, ledger: new Ledger(file) });
    await incident.happen();
    const putOff = (): boolean =>
      acting.events.some((it) => it.type === 'action' && it.action.code === 'backup-invalid');
    await until(putOff, 'the restore to be put off');
    await worker.ended();
    file.close();
    rmSync(folder, { recursive: true });
    expect((await incident.different()).length).toBeGreaterThan(70);
  });

  test('is put off where it comes into doubt after the claim', async () => {
    let isDoubted = false;
    const worker = await work(ENFORCED, {
      fence: async () => void (isDoubted = true),
      doubtOf: () => (isDoubted ? 'nothing tells whether its owner did it' : undefined),
    });
    await incident.happen();
    const claimed = (): boolean =>
      isDoubted && acting.actions().every((it) => it.state !== 'claimed');
    await until(claimed, 'the claims to end');
    await worker.ended();
    expect(statesAndCodes()).toEqual(new Set(['deferred unknown']));
    expect((await incident.different()).length).toBeGreaterThan(70);
  });

  test('is undone but for what comes into doubt after the claim', async () => {
    let isDoubted = false;
    let apart = '';
    const worker = await work(
      ENFORCED,
      {
        fence: async () => void (isDoubted = true),
        doubtOf: (id) => (isDoubted && id === apart ? 'nothing tells who did it' : undefined),
      },
      undefined,
      (damage) => {
        apart ||= damage.find(({ subject }) => subject.kind === 'Load_Balancer')?.id ?? '';
        return damage;
      },
    );
    await incident.happen();
    await until(() => acting.actions().some(isDone), 'what is not in doubt to be done');
    await worker.ended();
    const left = acting.actions().filter(({ finding }) => finding.id === apart);
    expect(left.map(({ state, code }) => `${state} ${code}`)).toEqual(['deferred unknown']);
  });

  test('is not undone where a hold comes while the backup of before is taken', async () => {
    const worker = await work(ENFORCED, {}, (northbound) => {
      let times = 0;
      return Object.assign(Object.create(northbound) as Northbound, {
        // The first time before the claims, the second after the backup.
        takeOver: async (signal: AbortSignal) => {
          if (++times === 2)
            await acting.decide(
              decision({
                type: 'hold',
                scope: {},
                reason: 'maintenance',
                until: null,
                cluster: RECORDED_CLUSTER,
                at: new Date().toISOString(),
              }),
            );
          await northbound.takeOver(signal);
        },
      });
    });
    await incident.happen();
    const ended = (): boolean =>
      acting.actions().some((it) => it.code === 'held' || it.state === 'done');
    await until(ended, 'the claims to end');
    await worker.ended();
    expect(statesAndCodes()).toEqual(new Set(['deferred held']));
    expect((await incident.different()).length).toBeGreaterThan(70);
  });

  test('is not called done of what could not go back with the rest', async () => {
    const id = 'f'.repeat(64);
    const row = { action: 'drop', direction: 'to-lport', match: '1', priority: 1001 };
    const nowhere = { table: 'ACL', uid: randomUUID(), owner: 'neutron', gone: true, row };
    const worker = await work(ENFORCED, {}, undefined, (damage) =>
      damage.length === 0
        ? damage
        : [...damage, { ...damage[0]!, id, was: [{ ...nowhere, referrers: [] }] }],
    );
    await incident.happen();
    const ended = (): boolean => incident.damage().length === 0 && acting.actions().some(isDone);
    await until(ended, 'all damage to be gone');
    await worker.ended();
    const [left, ...more] = acting.actions().filter((it) => !isDone(it));
    expect([left?.finding.id, left?.state, left?.code]).toEqual([id, 'refused', 'changed']);
    expect(left?.reason).toContain(nowhere.uid);
    expect(more).toEqual([]);
  });

  test('is only proposed where everything else is enforced', async () => {
    const worker = await work({ mode: 'enforce' });
    await incident.happen();
    const damaged = incident.damage().length;
    await until(() => acting.actions().length >= damaged, `${damaged} actions`);
    await worker.ended();
    expect(new Set(acting.actions().map(({ state }) => state))).toEqual(new Set(['proposed']));
    expect((await incident.different()).length).toBeGreaterThan(70);
  });
});
