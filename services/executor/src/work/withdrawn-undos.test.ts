import { operation as op } from '@ovn-steward/ovsdb';
import { Failure } from '@ovn-steward/shared/errors';
import type { Control } from '@ovn-steward/contracts/control/control';
import type { Proposal } from '../findings/proposal';
import { OPEN_LIMITS, recordedProposals, scene, type Scene } from '../testing/acting';
import { decision } from '../testing/controls';
import type { MemoryNorthbound } from '@ovn-steward/systems/testing/memory-northbound';
import { RECORDED_CLUSTER } from '../testing/recorded-engine';
import { recordedSystems } from '../testing/recorded-systems';

const DIED = new Failure('log-partition-lost', 'killed');

let northbound: MemoryNorthbound;
let proposals: Proposal[];
let group: Proposal;
let executor: Scene;
beforeEach(async () => {
  const systems = await recordedSystems('leaky');
  ({ northbound } = systems);
  group = (await recordedProposals('leaky')).find((each) => each.rule === 'orphaned-port-group')!;
  proposals = [group];
  executor = scene(systems, () => proposals, OPEN_LIMITS);
  await executor.turns(1);
  proposals = [];
});
afterEach(() => executor.close());

const say = (reported: object): Promise<void> =>
  executor.decide(decision({ cluster: RECORDED_CLUSTER, ...reported } as Control));
const stands = (): boolean => northbound.database.rows('Port_Group').has(group.subject.uid);

/**
 * An executor dies right before or right after its put-back arrives, and whoever asked for that
 * withdraws the request.
 */
async function diesPuttingBack(when: 'before' | 'after'): Promise<void> {
  const { id } = executor.actions()[0]!;
  await say({ type: 'undo', of: id });
  const { write } = northbound;
  northbound.write = async (...given) => {
    if (when === 'after') await write(...given);
    throw DIED;
  };
  await expect(executor.turns(1)).rejects.toBe(DIED);
  northbound.write = write;
  expect(executor.actions()).toMatchObject([{ state: 'done', code: 'undoing' }]);
  await say({ type: 'withdraw', of: `undo/${id}` });
}

test('what is back though the request was withdrawn meanwhile is reported as put back', async () => {
  await diesPuttingBack('after');
  await executor.turns(1);
  expect(executor.actions()).toMatchObject([
    { state: 'undone', code: 'undone', reason: expect.stringContaining('was withdrawn') },
  ]);
});

test('what is not back is reported as unclear, and not put back any more', async () => {
  await diesPuttingBack('before');
  await executor.turns(2);
  expect(executor.actions()).toMatchObject([
    { state: 'done', code: 'undo-unclear', reason: expect.stringContaining('was withdrawn') },
  ]);
  expect(stands()).toBe(false);
});

test('what came back as something else is reported as unclear', async () => {
  await diesPuttingBack('after');
  northbound.database.transact([
    op.update('Port_Group', op.byUuid(group.subject.uid), { name: 'another' }),
  ]);
  await executor.turns(1);
  expect(executor.actions()).toMatchObject([{ state: 'done', code: 'undo-unclear' }]);
});

test('what is still wanted is put back by the next executor, and not only read', async () => {
  await diesPuttingBack('before');
  await say({ type: 'undo', of: executor.actions()[0]!.id });
  await executor.turns(1);
  expect(executor.actions()).toMatchObject([{ state: 'undone', code: 'undone' }]);
  expect(stands()).toBe(true);
});
