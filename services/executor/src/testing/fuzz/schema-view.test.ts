import { operation as op } from '@ovn-steward/ovsdb';
import { SUBNETS } from './cluster';
import { createCluster } from './create-cluster';
import { random } from '@ovn-steward/systems/testing/kube-ovn/random';
import { type Missing, type SchemaView, viewed } from './schema-view';

const never = new AbortController().signal;
const shown = async (...missing: readonly Missing[]) => {
  const { northbound } = await createCluster(random(1));
  const at: { view: SchemaView } = { view: { version: 1, missing } };
  return { at, northbound, client: viewed(northbound.peer(), () => at.view) };
};
const SWITCHES = op.select('Logical_Switch', []);

test('a missing table is not in the schema, nor what refers to it, and whatever names it is refused', async () => {
  const { at, client } = await shown({ table: 'ACL' });
  const { tables } = await client.schema(never);
  expect(tables.has('ACL')).toBe(false);
  expect(tables.get('Logical_Switch')!.columns.has('acls')).toBe(false);
  expect(await client.read([SWITCHES, op.select('ACL', [])], never)).toMatchObject({
    is: 'refused',
    error: 'syntax error',
    at: 1,
  });
  at.view = { version: 2, missing: [] };
  expect((await client.schema(never)).tables.has('ACL')).toBe(true);
  expect(await client.read([op.select('ACL', [])], never)).toMatchObject({ is: 'committed' });
});

test('of a missing column rows say nothing', async () => {
  const { at, client } = await shown({ table: 'Logical_Switch', column: 'ports' });
  const rows = async (): Promise<readonly object[]> => {
    const answer = await client.read([SWITCHES], never);
    const [result] = answer.is === 'committed' ? answer.results : [];
    return result?.kind === 'selected' ? result.rows : [];
  };
  expect((await rows()).length).toBeGreaterThanOrEqual(SUBNETS.length);
  for (const row of await rows()) {
    expect(row).not.toHaveProperty('ports');
    expect(row).toHaveProperty('name');
  }
  at.view = { version: 2, missing: [] };
  for (const row of await rows()) expect(row).toHaveProperty('ports');
});

test.each([
  ['a condition', op.select('Logical_Switch', [['ports', '==', op.set([])]])],
  ['a selected column', op.select('Logical_Switch', [], ['ports'])],
  ['a guard', op.wait('Logical_Switch', [], ['ports'], [])],
  ['a mutation', op.mutate('Logical_Switch', [], [['ports', 'insert', op.set([])]])],
  ['a row', op.update('Logical_Switch', op.byUuid(''), { ports: op.set([]) })],
])('%s that names it is refused, and nothing changes', async (_, operation) => {
  const { client, northbound } = await shown({ table: 'Logical_Switch', column: 'ports' });
  await client.takeOver(never);
  const before = JSON.stringify([...northbound.database.rows('Logical_Switch')]);
  const send = operation.op === 'select' || operation.op === 'wait' ? client.read : client.write;
  expect(await send([operation], never)).toMatchObject({ is: 'refused', error: 'syntax error' });
  expect(JSON.stringify([...northbound.database.rows('Logical_Switch')])).toBe(before);
});

test('every change of the schema ends the connection', async () => {
  const { at, client } = await shown();
  const before = client.connections();
  at.view = { version: 2, missing: [] };
  expect(client.connections()).not.toBe(before);
});
