import { operation, parseSchema } from '@ovn-steward/ovsdb';
import type { Reference } from '@ovn-steward/contracts/identity/reference';
import { actionOf } from '../actions/registry';
import { memoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import { memoryNorthbound } from '@ovn-steward/systems/testing/memory-northbound';
import { plantOf } from '../testing/planted';
import { GROUND, ground } from '../testing/plants';
import { recordedNorthbound } from '@ovn-steward/systems/testing/recorded-northbound';

const never = new AbortController().signal;

/** A balancer's entry, under a schema with one table more. */
async function prepareUnder(columns: object, row: Parameters<typeof operation.insert>[1]) {
  const { json } = (await recordedNorthbound('clean')).database.schema;
  const tomorrow = structuredClone(json) as { tables: Record<string, object> };
  tomorrow.tables['Tomorrow'] = { columns: { kept: { type: 'string' }, ...columns }, isRoot: true };
  const northbound = memoryNorthbound({ schema: parseSchema(tomorrow) });
  expect(
    northbound.database.transact([...ground, operation.insert('Tomorrow', row)]),
  ).toMatchObject({ ok: true });
  return actionOf('remove-load-balancer-vip')!.prepare(
    plantOf('remove-load-balancer-vip').target,
    { action: '', rule: '', finding: '' },
    { northbound, kubernetes: memoryKubernetes() },
    never,
  );
}

const balancer = operation.uuid(plantOf('remove-load-balancer-vip').target.uid);

test("keeps the entry of a row to which a map of tomorrow's schema may refer", async () => {
  expect(
    await prepareUnder(
      {
        places: {
          type: {
            key: 'string',
            value: { type: 'uuid', refTable: 'Load_Balancer' },
            min: 0,
            max: 'unlimited',
          },
        },
      },
      {},
    ),
  ).toMatchObject({ is: 'refused', code: 'unsupported' });
});

test('keeps the entry of a row to which a table of tomorrow refers, and of no other', async () => {
  const weak = {
    weak: {
      type: {
        key: { type: 'uuid', refTable: 'Load_Balancer', refType: 'weak' },
        min: 0,
        max: 'unlimited',
      },
    },
  };
  expect(await prepareUnder(weak, { weak: balancer })).toMatchObject({
    is: 'refused',
    code: 'protected',
  });
  expect(await prepareUnder(weak, {})).toMatchObject({ is: 'prepared' });
});

/** What is said of a target that another action is for, on a Northbound that has it. */
async function prepareOn(id: string, target: Partial<Reference>) {
  const northbound = await recordedNorthbound('clean');
  expect(northbound.database.transact([...ground, ...plantOf(id).operations])).toMatchObject({
    ok: true,
  });
  return actionOf(id)!.prepare(
    { ...plantOf(id).target, ...target },
    { action: '', rule: '', finding: '' },
    { northbound, kubernetes: memoryKubernetes() },
    never,
  );
}

test.each<[string, string, Partial<Reference>]>([
  [
    'a port of a switch, which would go with it, for a member of a group',
    'remove-port-group-member',
    {
      kind: 'Logical_Switch',
      uid: GROUND.switch,
      name: 'planted-net',
      part: { column: 'ports', key: GROUND.neighbour },
    },
  ],
  [
    'an entry of another column',
    'remove-load-balancer-vip',
    { part: { column: 'ip_port_mappings', key: '10.99.0.9' } },
  ],
  ['a row of Kubernetes', 'remove-load-balancer-vip', { source: 'kubernetes' }],
])('does not take %s', async (_, id, target) => {
  expect(await prepareOn(id, target)).toMatchObject({ is: 'refused', code: 'unsupported' });
});
