import { liveNorthbound } from '@ovn-steward/systems/northbound/live-northbound';
import type { Northbound } from '@ovn-steward/systems/northbound/northbound';
import { memoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import { describeWith, ovn } from '@ovn-steward/testbed/fixture';
import {
  until,
  type WatchedIncident,
  watchIncident,
} from '../../../../e2e/incidents/watched-incident';
import { isProposal } from '../findings/proposal';
import { type Scene, scene } from '../testing/acting';
import { RECORDED_CLUSTER } from '../testing/recorded-engine';
import { withWorker } from './act';

jest.setTimeout(120_000);

describeWith(ovn, 'the recorded incident on a living Northbound', () => {
  let incident: WatchedIncident;
  let live: Northbound;
  let acting: Scene;

  /** An executor at work on it, in its own turns. */
  async function work(executor: object): Promise<{ readonly ended: () => Promise<void> }> {
    const kubernetes = memoryKubernetes();
    for (const it of incident.objects) kubernetes.put(it as never);
    live = liveNorthbound({ remotes: incident.server.remote });
    const proposals = () => incident.damage().filter(isProposal);
    acting = scene({ northbound: live, kubernetes }, proposals, executor);
    await acting.turns(0);
    const stop = new AbortController();
    const working = withWorker(acting.options, stop.signal, (worker, running) =>
      worker.run(running),
    );
    return {
      async ended() {
        stop.abort();
        await working;
      },
    };
  }

  beforeEach(async () => (incident = await watchIncident(RECORDED_CLUSTER)));
  afterEach(async () => {
    await acting.close();
    await live.close();
    await incident.stop();
  });

  test('is undone at once where the settings name the rule', async () => {
    const worker = await work({ rules: { 'neighbour-damaged': 'enforce' } });
    expect(await incident.happen()).toBeGreaterThan(70);
    const isDone = ({ state }: { readonly state: string }): boolean => state === 'done';
    await until(() => incident.damage().length === 0 && acting.actions().every(isDone));
    await worker.ended();
    expect(await incident.different()).toEqual([]);
    expect(acting.actions().length).toBeGreaterThan(10);
    expect(new Set(acting.actions().map(({ code }) => code))).toEqual(new Set(['done']));
  });

  test('is only proposed where everything else is enforced', async () => {
    const worker = await work({ mode: 'enforce' });
    await incident.happen();
    const damaged = incident.damage().length;
    await until(() => acting.actions().length >= damaged);
    await worker.ended();
    expect(new Set(acting.actions().map(({ state }) => state))).toEqual(new Set(['proposed']));
    expect((await incident.different()).length).toBeGreaterThan(70);
  });
});
