import type { Omitted } from '@ovn-steward/contracts/changes/change';
import { kubernetesKind } from '@ovn-steward/shared/kinds';
import { isDeepStrictEqual } from 'node:util';
import { objectTimes } from './object-times';
import { kindAndName, type SeenChange } from './seen-change';

/** One event on the line of time around a finding. */
export interface TimelineEntry {
  /** RFC 3339. */
  readonly at: string;
  /** Whose it is: Kubernetes' own objects, Kube-OVN's, or rows of OVN. */
  readonly lane: 'kubernetes' | 'kube-ovn' | 'ovn';
  readonly name: string;
  readonly what: string;
  /** The change it is known by; empty where there is no log. */
  readonly position: string;
}

/**
 * What changes show, in the order of time: what they say happened then, and the times that objects
 * carry themselves. Each time of an object once.
 */
export function timelineOf(changes: readonly SeenChange[]): readonly TimelineEntry[] {
  const last = new Map<string, SeenChange>();
  const carried = new Set<string>();
  const entries: TimelineEntry[] = [];
  for (const seen of changes) {
    const { change, position } = seen;
    const name = kindAndName(change);
    const lane = laneOf(change);
    const of = `${change.kind} ${change.uid}`;
    for (const { at, what } of change.type === 'put' ? objectTimes(change.object) : []) {
      if (carried.has(`${of} ${what} ${at}`)) continue;
      carried.add(`${of} ${what} ${at}`);
      entries.push({ at, lane, name, what, position });
    }
    const what = happened(last.get(of)?.change, change);
    if (what !== undefined) entries.push({ at: change.observedAt, lane, name, what, position });
    last.set(of, seen);
  }
  return entries.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

const laneOf = ({ source, kind }: SeenChange['change']): TimelineEntry['lane'] =>
  source !== 'kubernetes'
    ? 'ovn'
    : kubernetesKind(kind)?.group === 'kubeovn.io'
      ? 'kube-ovn'
      : 'kubernetes';

/** Undefined where the change says what was known: a full read repeats everything. */
function happened(
  before: SeenChange['change'] | undefined,
  change: SeenChange['change'],
): string | undefined {
  if (change.type === 'delete') return before?.type === 'delete' ? undefined : 'seen to be gone';
  if (change.type === 'omitted') return omitted(before, change);
  if (before === undefined) return 'first seen here';
  if (before.type === 'delete') return 'there again';
  if (before.type === 'omitted') return 'reported again';
  const paths = changedPaths(before.object, change.object);
  return paths.length === 0 ? undefined : `changed: ${paths.join(', ')}`;
}

function omitted(before: SeenChange['change'] | undefined, { hash }: Omitted): string | undefined {
  if (before === undefined) return 'first seen here, too large to be published';
  if (before.type === 'delete') return 'there again, too large to be published';
  return before.type === 'omitted' && before.hash === hash
    ? undefined
    : 'changed, and too large to be published';
}

/** Two levels deep: `status.conditions`. */
function changedPaths(before: Fields, after: Fields, depth = 2): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) => {
    const a = before[key];
    const b = after[key];
    if (isDeepStrictEqual(a, b)) return [];
    return depth > 1 && isFields(a) && isFields(b)
      ? changedPaths(a, b, depth - 1).map((it) => `${key}.${it}`)
      : [key];
  });
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (it: unknown): it is Fields =>
  typeof it === 'object' && it !== null && !Array.isArray(it);
