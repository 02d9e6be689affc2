import { actionOf } from '../actions/registry';
import type { PlanEntry } from './plan';

/**
 * Rows of the Northbound that go when an entry is done, by uuid: its target, and what its action
 * has the controller remove.
 */
export const rowsOfEntry = ({
  action,
  target,
  concerns,
}: Pick<PlanEntry, 'action' | 'target' | 'concerns'>): readonly string[] => {
  const takes = actionOf(action)?.takes ?? [];
  return [
    ...(target.source === 'ovn-nb' && target.part === undefined ? [target.uid] : []),
    ...concerns
      .filter((it) => it.source === 'ovn-nb' && takes.includes(it.kind))
      .map((it) => it.uid),
  ];
};

/** Plans are large and do not change. */
const known = new WeakMap<readonly PlanEntry[], ReadonlySet<string>>();

/** The same of all entries of a plan. */
export function plannedRows(entries: readonly PlanEntry[]): ReadonlySet<string> {
  const rows = known.get(entries) ?? new Set(entries.flatMap(rowsOfEntry));
  known.set(entries, rows);
  return rows;
}
