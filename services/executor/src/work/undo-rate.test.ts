import { setTimeout as sleep } from 'node:timers/promises';
import type { Control } from '@ovn-steward/contracts/control/control';
import { OPEN_LIMITS, recordedProposals, scene, type Scene } from '../testing/acting';
import { decision } from '../testing/controls';
import { RECORDED_CLUSTER } from '../testing/recorded-engine';
import { recordedSystems } from '../testing/recorded-systems';
import { withWorker } from './act';

let executor: Scene;
beforeEach(async () => {
  const all = await recordedProposals('leaky');
  const [one] = all.filter((each) => each.rule === 'orphaned-port-group');
  executor = scene(await recordedSystems('leaky'), () => [one!], OPEN_LIMITS);
  await executor.turns(0);
});
afterEach(() => executor.close());

const say = (reported: object): Promise<void> =>
  executor.decide(decision({ cluster: RECORDED_CLUSTER, ...reported } as Control));
/** Places of the rate that were taken so far: with so many of them none is taken twice. */
const taken = (): unknown =>
  executor.options.file.db
    .prepare<[], { count: number }>('SELECT count(*) AS count FROM rate')
    .get()?.count;

test('what is put back takes a place in the rate, and what a hold keeps back takes none', async () => {
  await withWorker(executor.options, new AbortController().signal, async (worker, signal) => {
    const until = async (true_: () => boolean): Promise<void> => {
      for (let turn = 0; !true_(); turn += 1) {
        if (turn > 2000) throw new Error('waited in vain');
        await worker.turn(signal);
        await sleep(10);
      }
    };
    const code = (): string | undefined => executor.actions()[0]?.code;
    await until(() => code() === 'done');
    expect(taken()).toBe(1);
    await say({ type: 'hold', scope: {}, reason: 'x', until: null });
    await say({ type: 'undo', of: executor.actions()[0]!.id });
    await until(() => code() === 'undo-held');
    for (let turn = 0; turn < 3; turn += 1) await worker.turn(signal);
    expect(taken()).toBe(1);
    await say({ type: 'resume', scope: {} });
    await until(() => code() === 'undone');
    expect(taken()).toBe(2);
  });
});
