import { operation, type Operation } from '@ovn-steward/ovsdb';
import type { Undo } from '@ovn-steward/contracts/actions/undo';
import { actionOf } from '../actions/registry';
import { memoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import type { MemoryNorthbound } from '@ovn-steward/systems/testing/memory-northbound';
import { GROUND, ground, PLANTS } from '../testing/plants';
import { recordedNorthbound } from '@ovn-steward/systems/testing/recorded-northbound';
import { never, COMMENT } from '../testing/running-action';
import { prepareUndo } from './undo';

const { byUuid, map, mutate, remove, set, update, uuid } = operation;

let northbound: MemoryNorthbound;
beforeEach(async () => {
  northbound = await recordedNorthbound('shared-neutron');
  await northbound.takeOver(never);
});

const peer = (...operations: readonly Operation[]): void => {
  const result = northbound.database.transact(operations);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
};
const plan = (undo: Undo) =>
  prepareUndo(undo, COMMENT, { northbound, kubernetes: memoryKubernetes() }, never);

async function removed(id: string): Promise<Undo & { of: 'entry' }> {
  peer(...ground, ...PLANTS[id]!.operations);
  const ready = await actionOf(id)!.prepare(
    PLANTS[id]!.target,
    COMMENT,
    { northbound, kubernetes: memoryKubernetes() },
    never,
  );
  if (ready.is !== 'prepared' || ready.undo.of !== 'entry' || ready.effect.on !== 'ovn-nb')
    throw new Error(JSON.stringify(ready));
  expect(await northbound.write(ready.effect.operations, never)).toMatchObject({ is: 'committed' });
  return ready.undo;
}

/** What was ready is refused after somebody else did this. */
async function refusedAfter(undo: Undo, ...operations: readonly Operation[]): Promise<void> {
  const ready = await plan(undo);
  if (ready.is !== 'ready' || ready.effect.on !== 'ovn-nb') throw new Error(JSON.stringify(ready));
  peer(...operations);
  expect(await northbound.write(ready.effect.operations, never)).toMatchObject({
    is: 'refused',
    error: 'timed out',
  });
}

const ofMap = [
  ['remove-load-balancer-vip', 'vips', '10.97.0.1:80'],
  ['remove-ip-port-mapping', 'ip_port_mappings', '10.99.0.9'],
] as const;
const BALANCER = byUuid(GROUND.balancer);

describe.each(ofMap)('an entry that %s took out of %s', (id, column, key) => {
  const another = mutate('Load_Balancer', BALANCER, [
    [column, 'insert', map([[key, '192.0.2.9:1']])],
  ]);

  it('is back when it says what it said', async () => {
    const undo = await removed(id);
    peer(mutate('Load_Balancer', BALANCER, [[column, 'insert', map([[key, undo.value!]])]]));
    expect(await plan(undo)).toMatchObject({ is: 'back' });
  });

  it('is not put back over another of its key, also if that comes at the last moment', async () => {
    const undo = await removed(id);
    await refusedAfter(undo, another);
    expect(await plan(undo)).toMatchObject({
      is: 'impossible',
      reason: expect.stringContaining('192.0.2.9:1'),
    });
  });

  it('is not put into a row of another name, also if it gets that at the last moment', async () => {
    const undo = await removed(id);
    await refusedAfter(undo, update('Load_Balancer', BALANCER, { name: 'another' }));
    expect(await plan(undo)).toMatchObject({
      is: 'impossible',
      reason: expect.stringContaining('is called another now'),
    });
  });

  it('is not put into a row that is gone', async () => {
    const undo = await removed(id);
    peer(remove('Load_Balancer', BALANCER));
    expect(await plan(undo)).toMatchObject({
      is: 'impossible',
      reason: expect.stringContaining('is not there any more'),
    });
  });
});

describe('a port that was taken out of a group', () => {
  const id = 'remove-port-group-member';
  const group = PLANTS[id]!.target.uid;
  const again = (member: string) =>
    mutate('Port_Group', byUuid(group), [['ports', 'insert', uuid(member)]]);

  it('is back when it is in it', async () => {
    const undo = await removed(id);
    peer(again(undo.key));
    expect(await plan(undo)).toMatchObject({ is: 'back' });
  });

  it('is refused when it came back at the last moment, so that nobody takes the merit of another', async () => {
    const undo = await removed(id);
    await refusedAfter(undo, again(undo.key));
  });

  it('is refused when the group got another name at the last moment', async () => {
    const undo = await removed(id);
    await refusedAfter(undo, update('Port_Group', byUuid(group), { name: 'another' }));
  });

  it('is not put back when the port is gone', async () => {
    const undo = await removed(id);
    peer(update('Logical_Switch', byUuid(GROUND.switch), { ports: set([]) }));
    expect(await plan(undo)).toMatchObject({ is: 'impossible' });
  });

  it('comes back', async () => {
    const undo = await removed(id);
    const ready = await plan(undo);
    if (ready.is !== 'ready' || ready.effect.on !== 'ovn-nb')
      throw new Error(JSON.stringify(ready));
    expect(await northbound.write(ready.effect.operations, never)).toMatchObject({
      is: 'committed',
    });
    expect(await plan(undo)).toMatchObject({ is: 'back' });
  });
});

it('a record of a map is none of a set, and the other way round', async () => {
  const [vip, member] = [await removed('remove-load-balancer-vip'), 'remove-port-group-member'];
  const { uid, name, part } = PLANTS[member]!.target;
  for (const record of [
    { ...vip, value: null },
    { ...vip, table: 'Port_Group', uuid: uid, name, column: part!.column, key: part!.key },
    { ...vip, column: 'name' },
  ])
    expect(await plan(record)).toMatchObject({
      is: 'impossible',
      reason: expect.stringContaining('as there was'),
    });
});
