import { logicalSwitch } from '../testing/builders';
import { History } from '../testing/history';
import { cell } from '../world/cell';
import { World } from '../world/world';
import { referrersByUid } from './referrers-by-uid';

const TCP = 'lb-tcp';
const UDP = 'lb-udp';
const SCTP = 'lb-sctp';

/**
 * Of which balancers neighbours are judged again, after a switch that refers to the first two says
 * this.
 */
const movedBy = (columns: Parameters<typeof logicalSwitch>[1]): readonly string[] => {
  const world = new World([referrersByUid], []);
  const history = new History();
  world.fold(history.put(logicalSwitch('apps', { load_balancer: [TCP, UDP] })));
  world.takeTouched();
  world.fold(history.put(logicalSwitch('apps', columns)));
  const touched = world.takeTouched();
  return [TCP, UDP, SCTP].filter((it) => touched.has(cell.aspect(referrersByUid.id, it)));
};

test('a column that says nothing of its owner moves nothing', () => {
  expect(movedBy({ load_balancer: [TCP, UDP], other_config: { mcast_snoop: 'true' } })).toEqual([]);
});

test('of a reference that goes and one that comes only these move', () => {
  expect(movedBy({ load_balancer: [TCP, SCTP] })).toEqual([UDP, SCTP]);
});

test('another owner moves all', () => {
  expect(
    movedBy({ load_balancer: [TCP, UDP], external_ids: { 'neutron:network_name': 'x' } }),
  ).toEqual([TCP, UDP]);
});
