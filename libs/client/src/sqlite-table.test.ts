import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { openSqliteDatabase } from '@ovn-steward/shared/log/sqlite-database';
import { FindingsTable } from './findings-table';
import type { TopicRecord } from './read-record';
import { type SqliteDatabase, SqliteTable } from './sqlite-table';
import { FINDING, findingRecord, STATUS, statusRecord, tombstone } from './testing/records';

let database: ReturnType<typeof openSqliteDatabase>;
let table: SqliteTable;
const open = () => {
  database = openSqliteDatabase(':memory:');
  table = new SqliteTable(database);
};
beforeEach(open);
afterEach(() => database.close());

const at = (offset: number, record: TopicRecord) => ({ offset: String(offset), ...record });
const known = (): string[] => table.findings().map((it) => `${it.revision} ${it.state}`);
const poison = (): unknown[] => database.prepare('SELECT next FROM poison').pluck().all();

test('a finding and the position behind it are there together, and a tombstone deletes', () => {
  const changes = table.take('findings', 2, [
    at(5, findingRecord()),
    at(9, { key: 'x', value: '{' }),
  ]);
  expect(changes).toMatchObject([{ finding: { id: FINDING.id } }]);
  expect([...table.positions('findings')]).toEqual([[2, 10]]);
  expect(poison()).toEqual([10]);
  expect(table.open(FINDING.cluster)).toHaveLength(1);
  expect(table.open('another')).toEqual([]);
  table.take('findings', 2, [at(10, tombstone(FINDING.id))]);
  expect(known()).toEqual([]);
});

test('what another member of the group took before changes nothing', () => {
  table.take('findings', 0, [at(7, tombstone(FINDING.id))]);
  expect(table.take('findings', 0, [at(3, findingRecord())])).toEqual([]);
  expect(known()).toEqual([]);
  expect(table.positions('findings').get(0)).toBe(8);
});

test('a failure in the middle leaves nothing of the step', () => {
  const failing: SqliteDatabase = {
    exec: (sql) => database.exec(sql),
    prepare: (sql) => {
      if (sql.includes('INTO position')) throw new Error('the disk is full');
      return database.prepare(sql);
    },
  };
  expect(() => new SqliteTable(failing).take('findings', 0, [at(0, findingRecord())])).toThrow(
    'the disk is full',
  );
  expect(known()).toEqual([]);
  table.take('findings', 0, [at(0, findingRecord())]); // no transaction was left open
  expect(known()).toEqual(['2 confirmed']);
});

test('reading continues at the position, unless the topic no longer has it or 30 days went by', () => {
  table.take('findings', 0, [at(7, findingRecord())]);
  expect(table.resume('findings', 0, 8n)).toBe(8n);
  expect(known()).toHaveLength(1);
  expect(table.resume('findings', 0, 9n)).toBe(9n);
  expect(known()).toEqual([]);
  table.take('findings', 0, [at(9, findingRecord())]);
  database.exec('UPDATE position SET at = at - 31 * 86400');
  expect(table.resume('findings', 0, 0n)).toBe(0n);
  expect(known()).toEqual([]);
});

test('a partition is begun again only where nobody moved its position meanwhile', () => {
  table.take('findings', 0, [at(7, findingRecord())]);
  table.startAnew('findings', 0, 6);
  expect(known()).toHaveLength(1);
  table.startAnew('findings', 0, 8);
  expect(known()).toEqual([]);
  expect(table.positions('findings').size).toBe(0);
});

test('a status says what is known, and whether the reader has all findings that it is about', () => {
  expect(table.knowledge(STATUS.cluster)).toEqual([]);
  table.take('status', 0, [at(0, statusRecord({ findingsThrough: '2' }))]);
  table.take('status', 0, [at(1, { key: 'x', value: '{' })]);
  const caughtUp = () => table.knowledge(STATUS.cluster).map((it) => it.caughtUp);
  expect(caughtUp()).toEqual([false]);
  table.take('findings', 0, [at(0, findingRecord())]);
  expect(caughtUp()).toEqual([false]);
  table.take('findings', 0, [at(1, findingRecord())]);
  expect(caughtUp()).toEqual([true]);
  expect(table.knowledge('another')).toEqual([]);
  table.take('status', 0, [at(2, tombstone(`${STATUS.cluster}/${STATUS.source}`))]);
  expect(table.knowledge(STATUS.cluster)).toEqual([]);
});

const RECORD = fc.record({
  id: fc.constantFrom('a', 'b', 'c'),
  what: fc.constantFrom('finding', 'tombstone', 'poison'),
  revision: fc.integer({ min: 1, max: 5 }),
  state: fc.constantFrom('suspected', 'confirmed', 'resolved', 'suppressed', 'muted'),
});

test('however often and in whatever batches records come, the table is that of one reading', () => {
  fc.assert(
    fc.property(
      fc.array(RECORD, { maxLength: 30 }),
      fc.array(fc.tuple(fc.nat(30), fc.nat(8)), { maxLength: 10 }),
      (sent, batches) => {
        open();
        const records = sent.map(({ id, what, revision, state }, offset) => {
          if (what === 'tombstone') return at(offset, tombstone(id));
          if (what === 'poison') return at(offset, { key: id, value: '[]' });
          return at(offset, findingRecord({ revision, state }, id));
        });
        const once = new FindingsTable();
        for (const it of records) once.take(0, it);
        for (const [from, count] of [...batches, [0, 30]] as [number, number][]) {
          const first = Math.min(from, table.positions('findings').get(0) ?? 0); // never beyond what was read
          table.take('findings', 0, records.slice(first, first + count));
        }
        table.take('findings', 0, records);
        const ofOnce = [...once.findings()].sort((a, b) => a.id.localeCompare(b.id));
        expect(table.findings()).toEqual(ofOnce);
        database.close();
      },
    ),
  );
  open();
});

test('its tables of findings are those of the consumers in other languages', () => {
  const path = join(__dirname, '../../../examples/consumers/schema.sql');
  const theirs = openSqliteDatabase(':memory:');
  theirs.exec(readFileSync(path, 'utf8'));
  const columns = (of: typeof database, name: string): unknown[] =>
    of.prepare(`SELECT name, type, "notnull", pk FROM pragma_table_info('${name}')`).all();
  for (const name of ['finding', 'position', 'poison', 'open_finding'])
    expect(columns(database, name)).toEqual(columns(theirs, name));
  theirs.close();
});
