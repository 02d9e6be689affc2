import type { Blocker, Deletable } from './deletion';
import { ABANDONED_FINALIZERS, FORMER_FINALIZER, KUBE_OVN_FINALIZERS } from './finalizers';
import { isOlderRelease, type Release } from './release';

/** The first release that knows today's finalizer, and takes the former one off at each start. */
const KNOWS_BOTH: Release = [1, 13, 0];
const HANDLES_DELETIONS_AT_START: Release = [1, 17, 0];
/** The first release that gives an IPPool a finalizer. */
const HOLDS_POOLS: Release = [1, 15, 0];

/**
 * Kinds of which a change of the object has the controller handle the deletion, in every release
 * (kube-ovn.md §7.3), with the first release whose start does so as well, if any does. What is
 * ready is passed over by the start of the earlier ones.
 */
const ON_CHANGE: ReadonlyMap<string, Release | undefined> = new Map([
  ['IP', KNOWS_BOTH],
  ['IPPool', HOLDS_POOLS],
  ['Vip', undefined],
  ...[
    'QoSPolicy',
    'OvnEip',
    'OvnFip',
    'OvnSnatRule',
    'OvnDnatRule',
    'IptablesEIP',
    'IptablesFIPRule',
    'IptablesSnatRule',
    'IptablesDnatRule',
  ].map((it) => [it, HANDLES_DELETIONS_AT_START] as const),
]);

/** What has a running controller finish a deletion that nothing blocks. */
export type DeletionTrigger = 'start' | 'change' | 'never' | 'depends on the release';

/**
 * What has a controller of that release take this finalizer off an object that is being deleted,
 * once nothing of the object is left. Releases before 1.13 know `kube-ovn-controller` alone; a
 * start of the later ones takes that off whatever is being deleted.
 */
export function deletionTrigger(
  kind: string,
  finalizer: string,
  release: Release | undefined,
): DeletionTrigger {
  if (ABANDONED_FINALIZERS.has(finalizer)) return 'never';
  const isFormer = release && isOlderRelease(release, KNOWS_BOTH);
  if (finalizer !== FORMER_FINALIZER && isFormer === true) return 'never';
  if (!ON_CHANGE.has(kind)) return 'start';
  if (finalizer !== FORMER_FINALIZER || isFormer === true) return 'change';
  return isFormer === undefined ? 'depends on the release' : 'start';
}

/** Whether a change of the object has the controller handle its deletion. */
export const isDeletedOnChange = (kind: string): boolean => ON_CHANGE.has(kind);

/**
 * Why a start does not take the deletion up, as the end of a sentence; undefined where the release
 * is known and its start does.
 */
export function passedOverByStart(kind: string, release: Release | undefined): string | undefined {
  const first = ON_CHANGE.get(kind);
  if (first !== undefined && release === undefined)
    return `before v${first[0]}.${first[1]} a restart does not help`;
  return first === undefined || isOlderRelease(release!, first)
    ? 'a restart does not help'
    : undefined;
}

/** Finalizers of Kube-OVN's that no controller of that release ever removes. */
export const abandonedFinalizers = (
  { kind, object: { metadata } }: Deletable,
  release: Release | undefined,
): Blocker[] =>
  (metadata.finalizers ?? [])
    .filter((it) => KUBE_OVN_FINALIZERS.has(it) && deletionTrigger(kind, it, release) === 'never')
    .map((it) => ({ because: `finalizer ${it}, which ${whyKept(it)}` }));

const whyKept = (finalizer: string): string =>
  ABANDONED_FINALIZERS.has(finalizer)
    ? 'no controller removes any more'
    : 'Kube-OVN before v1.13 does not know';
