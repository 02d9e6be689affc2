import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NbRow, Neighbourhood } from '../grammar/row';
import { project } from './northbound';

export interface Truth {
  readonly expect: 'finding' | 'keep' | 'optional' | 'report-only';
  readonly source: string;
  readonly table?: string;
  readonly uuid?: string;
  readonly name?: string;
  readonly symptom?: string;
  readonly garbage?: boolean;
  readonly why: string;
}

interface Recording {
  readonly rows: readonly NbRow[];
  readonly truth: readonly Truth[];
  readonly presence: Neighbourhood['presence'];
}

const FOLDER = join(__dirname, '../../../../../examples/recordings');

/**
 * A recorded cluster: `nb.db` (a compacted standalone file: schema, then one record with all rows),
 * the objects and what is true.
 */
export function readRecording(name: string): Recording {
  const read = (file: string): string => readFileSync(join(FOLDER, name, file), 'utf8');
  const records = read('nb.db')
    .split('\n')
    .filter((line) => line.startsWith('{'));
  const tables = JSON.parse(records[1]!) as Record<string, Record<string, Record<string, unknown>>>;
  const rows = Object.entries(tables)
    .filter(([table]) => !table.startsWith('_'))
    .flatMap(([table, byUid]) =>
      Object.entries(byUid).map(([uid, columns]) => ({
        table,
        uid,
        columns: mapValues(columns, plain),
      })),
    );
  const objects = (
    JSON.parse(read('kubernetes.json')) as {
      items: { kind: string; metadata: { namespace?: string; name: string } }[];
    }
  ).items;
  const keys = new Set(
    objects.map(
      (it) =>
        `${it.kind} ${it.metadata.namespace ? `${it.metadata.namespace}/` : ''}${it.metadata.name}`,
    ),
  );
  return {
    rows: project(rows),
    truth: (JSON.parse(read('truth.json')) as { entries: Truth[] }).entries,
    presence: (kind, key) => (keys.has(`${kind} ${key}`) ? 'present' : 'absent'),
  };
}

const mapValues = (
  object: Record<string, unknown>,
  change: (value: unknown) => unknown,
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));

/** RFC 7047 §5.1: sets and maps are tagged pairs, a set of one is its element, a uuid is a pair. */
function plain(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const [tag, content] = value as [string, unknown];
  if (tag === 'uuid') return content;
  if (tag === 'set') return (content as unknown[]).map(plain);
  return Object.fromEntries((content as [string, unknown][]).map(([key, of]) => [key, plain(of)]));
}
