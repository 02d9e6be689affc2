import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  openDatabase,
  operation,
  type Operation,
  type OperationResult,
  parseSchema,
  type Session,
  type TransactResult,
  writeStandaloneFile,
} from '@ovn-steward/ovsdb';
import { describeWith, ovn } from '@ovn-steward/testbed/fixture';
import { type OvnServer, startOvnStandalone } from '@ovn-steward/testbed/ovn';
import fc from 'fast-check';
import { MemoryDatabase } from './memory-database';
import {
  type RandomOperation,
  randomTransaction,
  SHOP_SCHEMA,
  TABLES,
} from './random-transactions';

const RUNS = Number(process.env['STEWARD_TEST_RUNS'] ?? 200);
const schema = parseSchema(SHOP_SCHEMA);

/**
 * As random transactions name rows. A name that no insert gives stands for a uuid that each side
 * makes up.
 */
const GIVEN = /^\d\d000000-0000-4000-8000-0{12}$|^[0-]{36}$/;

/** Sets and maps have no order, and one element may stand bare. */
function canonical(json: unknown): unknown {
  if (!Array.isArray(json)) return json;
  const [tag, inner] = json as [string, unknown];
  if (tag === 'uuid') return GIVEN.test(inner as string) ? inner : 'made up';
  if (tag === 'set') return elements(inner as unknown[]);
  return tag === 'map'
    ? [tag, (inner as unknown[][]).map((pair) => JSON.stringify(pair.map(canonical))).sort()]
    : json;
}

const elements = (inner: readonly unknown[]): unknown =>
  inner.length === 1
    ? canonical(inner[0])
    : ['set', inner.map((it) => JSON.stringify(canonical(it))).sort()];

const canonicalRow = (row: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(
    Object.entries(row)
      .map(([name, json]) => [name, canonical(json)])
      .sort(),
  );

/** What of a result must be equal: not the words of an error, and not the order of rows. */
function comparable(result: OperationResult): unknown {
  if (result.kind === 'selected')
    return { kind: 'selected', rows: result.rows.map(canonicalRow).sort() };
  return result.kind === 'error' ? { kind: 'error', error: result.error, at: result.at } : result;
}

const comparableAll = (result: TransactResult): unknown => ({
  ok: result.ok,
  error: result.ok ? undefined : { error: result.error.error, at: result.error.at },
  results: result.results.map(comparable),
});

const everything: Operation[] = TABLES.map((table) =>
  operation.select(table, [], ['_uuid', ...Object.keys(SHOP_SCHEMA.tables[table].columns)]),
);

/** Fills in what the waits for exactly what there is wait for. */
function settled(memory: MemoryDatabase, operations: readonly RandomOperation[]): Operation[] {
  return operations.map((drawn) => {
    if (drawn.op !== 'exactly') return drawn;
    const [found] = memory.transact([
      operation.select(drawn.table, drawn.where, drawn.columns),
    ]).results;
    return operation.wait(
      drawn.table,
      drawn.where,
      drawn.columns,
      found?.kind === 'selected' ? (found.rows as never) : [],
    );
  });
}

describeWith(ovn, 'the database in memory and ovsdb-server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shop-'));
  let server: OvnServer;
  let session: Session;
  beforeAll(async () => {
    const file = join(folder, 'shop.db');
    await writeStandaloneFile(file, SHOP_SCHEMA, []);
    server = await startOvnStandalone({ database: file });
    session = await openDatabase({ remotes: server.remote, database: SHOP_SCHEMA.name });
  });
  afterAll(async () => {
    session.close();
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  test('answer the same to the same transactions, and hold the same after each', async () => {
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(randomTransaction, { minLength: 1, maxLength: 12 }),
        async (transactions) => {
          const memory = new MemoryDatabase(schema);
          expect(
            (
              await session.transact(
                TABLES.map((table) => operation.remove(table, [])),
                { everyRow: true },
              )
            ).ok,
          ).toBe(true);
          for (const random of transactions) {
            const operations = settled(memory, random);
            const real = await session.transact(operations, { everyRow: true });
            const ours = memory.transact(operations);
            const outcome = real.ok ? 'committed' : real.error.error;
            seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
            expect(comparableAll(ours)).toEqual(comparableAll(real));
            expect(memory.transact(everything).results.map(comparable)).toEqual(
              (await session.transact(everything)).results.map(comparable),
            );
          }
        },
      ),
      { numRuns: RUNS },
    );
    // Random ones that all fail would prove nothing.
    expect(seen.get('committed')).toBeGreaterThan(RUNS);
  });
});
