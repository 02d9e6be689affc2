import { canonicalJson } from '@ovn-steward/shared/canonical-json';
import type { Undo } from '@ovn-steward/contracts/actions/undo';
import type { Systems } from '@ovn-steward/systems/systems';
import type { Prepared } from '../action-kit/action';
import type { Item } from '../gate/item';
import { plannedRows } from '../plan/planned-rows';
import { withoutReferences, withoutRows } from '../plan/without-rows';
import { commentOf } from './effect-comment';

/**
 * Whether what was read is what the plan was made of. Rows that the same plan removes do not count
 * among those that the target lists: some went when their turn came, and the controller takes the
 * port of a deleted IP out of its groups when it likes. Any other member, any other column, and
 * whatever refers to the target must be as they were. Always so of what no plan is about.
 * @throws Failure when it cannot be read.
 */
export async function isAsPlanned(
  item: Item,
  { version, undo }: Prepared,
  systems: Systems,
  signal: AbortSignal,
): Promise<boolean> {
  const { finding, action, entries } = item;
  if (item.version === undefined || item.version === version) return true;
  if (entries === undefined || action === undefined || undo.of !== 'rows') return false;
  const { target } = finding.remedy;
  const others = new Set(plannedRows(entries));
  others.delete(target.uid);
  const northbound = withoutRows(systems.northbound, others);
  const without = await action.prepare(target, commentOf(item), { ...systems, northbound }, signal);
  // What is compared is what the guards of the transaction were made of, not a later state.
  return (
    without.is === 'prepared' &&
    without.version === item.version &&
    canonicalJson(without.undo) === canonicalJson(unreferenced(undo, others))
  );
}

/** As `prepare` gives it where those rows are not there; columns without a value are left out. */
const unreferenced = (undo: Undo & { of: 'rows' }, others: ReadonlySet<string>): unknown => ({
  ...undo,
  rows: undo.rows.map((row) => ({
    ...row,
    columns: Object.fromEntries(
      Object.entries(withoutReferences(row.columns, others)).filter(
        ([, value]) => canonicalJson(value) !== canonicalJson(['set', []]),
      ),
    ),
  })),
});
