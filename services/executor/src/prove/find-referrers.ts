import { members } from './find-parts';
import { scanned, strangers } from './find-scanned';
import { type Finder, rowsOf } from './finder';
import { exactReferences, SCANNED } from './name-references';

/** By columns that refer weakly to its table; of a group also ports that are not Kube-OVN's. */
export const weakly: Finder = async (uuid, relation, from) => {
  const { rows } = from;
  const columns = (await rows.byUuid(uuid)).flatMap(({ table }) => rows.references.weakOf(table));
  const referring = columns.map(async (column) =>
    rowsOf(rows, column.table, await rows.referring(column, uuid)),
  );
  return (
    await Promise.all([
      members(uuid, relation, from),
      ...referring,
      strangers(uuid, relation, from),
    ])
  ).flat();
};

export const byName: Finder = async (key, relation, from) => {
  const colon = key.indexOf(':');
  const sort = key.slice(0, colon);
  const name = key.slice(colon + 1);
  const exact = exactReferences(sort, name).map(async ({ table, condition }) => {
    if (!from.rows.schema.tables.get(table)?.columns.has(condition[0])) return [];
    return rowsOf(
      from.rows,
      table,
      (await from.rows.stored(table, [condition], ['_uuid'])).map((it) => it.uuid),
    );
  });
  const scans = SCANNED.filter((it) => it.sorts.includes(sort)).map((it) =>
    scanned(key, relation, from.rows, from.cache, it),
  );
  return (await Promise.all([...exact, ...scans, strangers(key, relation, from)])).flat();
};
