import { logicalSwitch } from '../testing/builders';
import { History } from '../testing/history';
import { cell } from '../world/cell';
import { World } from '../world/world';
import { rowByUid } from './row-by-uid';

const APPS = logicalSwitch('apps');
const ASPECT = cell.aspect(rowByUid.id, APPS.uid);
const WHOLE = cell.relation(rowByUid.id, APPS.uid);

let world: World;
let history: History;
beforeEach(() => {
  world = new World([rowByUid], []);
  history = new History();
  world.fold(history.put(APPS));
  world.takeTouched();
});

const movedBy = (changed: ReturnType<typeof logicalSwitch>): readonly boolean[] => {
  world.fold(history.put(changed));
  const touched = world.takeTouched();
  return [touched.has(WHOLE), touched.has(ASPECT)];
};

test.each([
  ['a column that says nothing of its owner', { other_config: { mcast_snoop: 'true' } }, false],
  ['a key of another owner', { external_ids: { 'neutron:network_name': 'x' } }, true],
  ['a column that no version here knows', { column_of_a_later_schema: 'x' }, true],
  ['the mark of an interconnection', { other_config: { 'interconn-ts': 'ts1' } }, true],
  ['another holder', { _parents: [{ kind: 'X', uid: 'x', column: 'c' }] }, true],
])('to its neighbours a row is another with %s: %#', (_, columns, expected) => {
  expect(movedBy(logicalSwitch('apps', columns))).toEqual([true, expected]);
});

test('one that goes moves what its neighbours read', () => {
  for (const change of history.remove(APPS)) world.fold(change);
  expect(world.takeTouched().has(ASPECT)).toBe(true);
});
