import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Observation } from '../../source-kit/source';
import { createOvnFileSource, type OvnFileOptions } from './ovn-file';

const recording = (name: string, file = 'nb.db'): string =>
  join(__dirname, '../../../../../examples/recordings', name, file);
const folder = mkdtempSync(join(tmpdir(), 'ovn-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function observe(options: OvnFileOptions): Promise<Observation[]> {
  const seen: Observation[] = [];
  for await (const batch of createOvnFileSource(options).observe(new AbortController().signal))
    seen.push(...batch);
  return seen;
}
type ObjectSeen = Extract<Observation, { type: 'object' }>;
const objects = (seen: readonly Observation[], kind?: string): ObjectSeen[] =>
  seen.filter((it): it is ObjectSeen => it.type === 'object' && (!kind || it.kind === kind));
const count = (objectsSeen: readonly ObjectSeen[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { kind } of objectsSeen) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
};

interface Parent {
  kind: string;
  uid: string;
  column: string;
}

describe.each(['clean', 'leaky', 'shared-neutron'])('the recording %s', (name) => {
  it('gives every switch port one parent, its switch, and the switch no ports', async () => {
    const seen = await observe({ id: 'ovn-nb', path: recording(name) });
    const switches = new Set(objects(seen, 'Logical_Switch').map((it) => it.uid));
    const ports = objects(seen, 'Logical_Switch_Port');
    expect(ports.length).toBeGreaterThan(40);
    for (const { object } of ports) {
      const parents = object['_parents'] as Parent[];
      expect(parents).toEqual([
        { kind: 'Logical_Switch', uid: expect.any(String), column: 'ports' },
      ]);
      expect(switches).toContain(parents[0]?.uid);
    }
    for (const { object } of objects(seen, 'Logical_Switch'))
      expect(object).not.toHaveProperty('ports');
  });

  it('names on each port the groups that exist, and on no group its ports', async () => {
    const seen = await observe({ id: 'ovn-nb', path: recording(name) });
    const groups = new Set(objects(seen, 'Port_Group').map((it) => it.uid));
    const named = objects(seen, 'Logical_Switch_Port').flatMap(
      (it) => (it.object['_port_groups'] as string[] | undefined) ?? [],
    );
    expect(named.length).toBeGreaterThan(0);
    for (const uid of named) expect(groups).toContain(uid);
    for (const { object } of objects(seen, 'Port_Group'))
      expect(object).not.toHaveProperty('ports');
  });
});

it('reports every row of the file, and ends with progress up to its last transaction', async () => {
  const path = recording('clean');
  const [, schema, , content] = readFileSync(path, 'utf8').split('\n');
  const tables = Object.keys((JSON.parse(schema ?? '') as { tables: object }).tables);
  const rows = Object.entries(JSON.parse(content ?? '') as Record<string, object>).filter(
    ([table]) => tables.includes(table),
  );
  const seen = await observe({ id: 'ovn-nb', path });
  expect(count(objects(seen))).toEqual(
    Object.fromEntries(rows.map(([table, of]) => [table, Object.keys(of).length])),
  );
  expect(seen[0]).toEqual({ type: 'begin', stream: 'ovn-nb', kinds: tables });
  expect(seen.slice(-2)).toEqual([
    { type: 'complete', stream: 'ovn-nb', kinds: tables, cursor: '' },
    {
      type: 'progress',
      stream: 'ovn-nb',
      cursor: '',
      through: new Date((JSON.parse(content ?? '') as { _date: number })._date).toISOString(),
    },
  ]);
});

it('leaves out of NB_Global what counts and stamps', async () => {
  const [global] = objects(await observe({ id: 'ovn-nb', path: recording('clean') }), 'NB_Global');
  expect(
    Object.keys(global?.object ?? {}).filter(
      (it) => !['name', 'options', 'external_ids'].includes(it),
    ),
  ).toEqual([]);
});

it('reads of Southbound only which chassis there are and where ports are bound', async () => {
  const seen = await observe({ id: 'ovn-sb', path: recording('clean', 'sb.db') });
  expect(Object.keys(count(objects(seen))).sort()).toEqual([
    'Chassis',
    'Encap',
    'Port_Binding',
    'SB_Global',
  ]);
  const chassis = new Set(objects(seen, 'Chassis').map((it) => it.uid));
  const bound = objects(seen, 'Port_Binding').filter((it) => it.object['chassis'] !== undefined);
  expect(bound.length).toBeGreaterThan(10);
  for (const { object, name } of bound) {
    expect(chassis).toContain(object['chassis']);
    expect(name).toBe(object['logical_port']);
  }
});

describe('refuses, with a sentence that names the file', () => {
  const cases: [string, string, () => OvnFileOptions][] = [
    ['a missing file', 'input-not-found', () => ({ id: 'ovn-nb', path: join(folder, 'none.db') })],
    [
      'something else',
      'input-not-a-database',
      () => {
        writeFileSync(join(folder, 'text.db'), 'not a database\n');
        return { id: 'ovn-nb', path: join(folder, 'text.db') };
      },
    ],
    [
      'a file cut short',
      'input-truncated',
      () => {
        const path = join(folder, 'cut.db');
        writeFileSync(path, readFileSync(recording('leaky')));
        truncateSync(path, statSync(path).size - 100);
        return { id: 'ovn-nb', path };
      },
    ],
    [
      'Southbound where Northbound is meant',
      'input-foreign-schema',
      () => ({ id: 'ovn-nb', path: recording('clean', 'sb.db') }),
    ],
    [
      'Northbound where Southbound is meant',
      'input-foreign-schema',
      () => ({ id: 'ovn-sb', path: recording('clean') }),
    ],
    ['a folder', 'input-unreadable', () => ({ id: 'ovn-nb', path: folder })],
  ];
  it.each(cases)('%s', async (_what, code, make) => {
    const options = make();
    await expect(observe(options)).rejects.toMatchObject({
      name: 'Failure',
      code,
      message: expect.stringContaining(options.path),
    });
  });
});
