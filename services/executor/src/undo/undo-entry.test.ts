import { operation, type Operation } from '@ovn-steward/ovsdb';
import type { Undo } from '@ovn-steward/contracts/actions/undo';
import { plantOf } from '../testing/planted';
import { GROUND } from '../testing/plants';
import { UndoBed } from '../testing/undo-bed';

const { byUuid, map, mutate, remove, set, update, uuid } = operation;

let bed: UndoBed;
beforeEach(async () => {
  bed = await UndoBed.open();
});

/** Removes an entry. @returns what would put it back. */
async function removed(id: string): Promise<Undo & { of: 'entry' }> {
  const undo = await bed.removed(id);
  if (undo.of !== 'entry') throw new Error(JSON.stringify(undo));
  return undo;
}

/** What was ready is refused after somebody else did this. */
async function refusedAfter(undo: Undo, ...others: readonly Operation[]): Promise<void> {
  const operations = await bed.planned(undo);
  bed.peer(...others);
  expect(await bed.write(operations)).toBe('timed out');
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
    bed.peer(mutate('Load_Balancer', BALANCER, [[column, 'insert', map([[key, undo.value!]])]]));
    expect(await bed.plan(undo)).toMatchObject({ is: 'back' });
  });

  it('is not put back over another of its key, also if that comes at the last moment', async () => {
    const undo = await removed(id);
    await refusedAfter(undo, another);
    expect(await bed.plan(undo)).toMatchObject({
      is: 'impossible',
      reason: expect.stringContaining('192.0.2.9:1'),
    });
  });

  it('is not put into a row of another name, also if it gets that at the last moment', async () => {
    const undo = await removed(id);
    await refusedAfter(undo, update('Load_Balancer', BALANCER, { name: 'another' }));
    expect(await bed.plan(undo)).toMatchObject({
      is: 'impossible',
      reason: expect.stringContaining('is called another now'),
    });
  });

  it('is not put into a row that is gone', async () => {
    const undo = await removed(id);
    bed.peer(remove('Load_Balancer', BALANCER));
    expect(await bed.plan(undo)).toMatchObject({
      is: 'impossible',
      reason: expect.stringContaining('is not there any more'),
    });
  });
});

describe('a port that was taken out of a group', () => {
  const id = 'remove-port-group-member';
  const group = plantOf(id).target.uid;
  const again = (member: string) =>
    mutate('Port_Group', byUuid(group), [['ports', 'insert', uuid(member)]]);

  it('is back when it is in it', async () => {
    const undo = await removed(id);
    bed.peer(again(undo.key));
    expect(await bed.plan(undo)).toMatchObject({ is: 'back' });
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
    bed.peer(update('Logical_Switch', byUuid(GROUND.switch), { ports: set([]) }));
    expect(await bed.plan(undo)).toMatchObject({ is: 'impossible' });
  });

  it('comes back', async () => {
    const undo = await removed(id);
    const operations = await bed.planned(undo);
    expect(await bed.write(operations)).toBe('committed');
    expect(await bed.plan(undo)).toMatchObject({ is: 'back' });
  });
});

it('a record of a map is none of a set, and the other way round', async () => {
  const vip = await removed('remove-load-balancer-vip');
  const member = 'remove-port-group-member';
  const { uid, name, part } = plantOf(member).target;
  for (const record of [
    { ...vip, value: null },
    { ...vip, table: 'Port_Group', uuid: uid, name, column: part!.column, key: part!.key },
    { ...vip, column: 'name' },
  ])
    expect(await bed.plan(record)).toMatchObject({
      is: 'impossible',
      reason: expect.stringContaining('as there was'),
    });
});
