import { RELATIONS } from '../relations/registry';
import { TALLIES } from '../tallies/registry';
import { ip, object, pod, row } from '../testing/builders';
import { History } from '../testing/history';
import { World } from '../world/world';
import { FoldedChanges } from './folded-changes';

const CHECKED = { checked: true };
const worldOf = (recorded = false): World => new World(RELATIONS, TALLIES, recorded);

test('its time is that of the source that reported last, and of a change before any did', () => {
  const history = new History();
  const changes = new FoldedChanges(worldOf());
  expect(changes.now).toBe('');
  changes.fold([history.put(object('Namespace', 'shop'))], CHECKED);
  expect(changes.now).toBe('2026-01-01T00:00:00.000Z');
  changes.fold([...history.listEverything(), ...history.heartbeats(3)], CHECKED);
  changes.fold([history.put(pod('shop/web-0'))], CHECKED);
  expect(changes.now).toBe('2026-01-01T00:03:00.000Z');
});

test('of a living system time never goes back; a recording is of its own time', () => {
  for (const [recorded, now] of [
    [false, '2030-01-01T00:00:00Z'],
    [true, '2026-01-01T00:01:00.000Z'],
  ] as const) {
    const history = new History();
    const changes = new FoldedChanges(worldOf(recorded));
    changes.resume([], '2030-01-01T00:00:00Z');
    changes.fold([...history.listEverything(), ...history.heartbeats(1)], CHECKED);
    expect(changes.now).toBe(now);
  }
});

test('reports what each change moved, and remembers when an owner went', () => {
  const history = new History();
  const changes = new FoldedChanges(worldOf());
  const web = pod('shop/web-0');
  changes.fold([...history.listEverything(), history.put(web), history.put(ip('a'))], CHECKED);
  const moved = changes.fold(history.remove(web), CHECKED);
  expect(moved.map(({ before, after }) => [before?.name, after?.name])).toEqual([
    ['web-0', undefined],
  ]);
  expect(changes.momentsOf({ kind: 'Pod', key: 'shop/web-0' })).toMatchObject([
    { what: 'Pod shop/web-0 was deleted' },
  ]);
  expect(changes.momentsOf({ kind: 'Pod', key: 'shop/web-1' })).toBeUndefined();
});

test('remembers the row of another owner that went, as something that moved', () => {
  const history = new History();
  const world = worldOf();
  const changes = new FoldedChanges(world);
  const foreign = row('Logical_Switch', 'net', {
    external_ids: { 'neutron:network_name': 'net' },
  });
  changes.fold([...history.listEverything(), history.put(foreign)], CHECKED);
  const moved = changes.fold(history.remove(foreign), CHECKED);
  expect(moved.map(({ before, after }) => (after ?? before)!.kind)).toEqual([
    'Logical_Switch',
    'Former_Row',
  ]);
  expect([...world.entities('Former_Row')].map(({ uid }) => uid)).toEqual([foreign.uid]);
});
