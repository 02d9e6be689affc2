import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { kubernetesKind } from '@ovn-steward/shared/kinds';
import type { Cluster } from '../cluster';

/**
 * Whether a kube-ovn-controller has to finish the deletion of such objects: it puts a finalizer on
 * all that are its own. Asked of the API they belong to and not of the actions, which are judged by
 * it.
 */
const isFinishedByController = (kind: string): boolean =>
  kubernetesKind(kind)?.group === 'kubeovn.io';

/** A leader that renewed its Lease so long ago is taken to be there; milliseconds. */
const FRESH_MS = 20_000;
/** And so old may be what was seen of it when something is sent. */
const LEEWAY_MS = 10_000;

/** Why nobody would finish this removal; undefined when somebody would. */
export function unfinished(
  { controller }: Cluster,
  { target: { kind, source, part } }: ActionRecord,
  steady: number,
): string | undefined {
  const since = controller.goneSince();
  return source === 'kubernetes' &&
    part === undefined &&
    isFinishedByController(kind) &&
    since !== undefined &&
    steady - since > FRESH_MS + LEEWAY_MS
    ? `no controller has been there for ${Math.round((steady - since) / 1000)} s that would finish it`
    : undefined;
}

/** What an executor says to be done, and is there still. */
export function isDoneTooEarly(
  { kubernetes, northbound: { database } }: Cluster,
  { state, code, target: { source, kind, uid, part } }: ActionRecord,
): boolean {
  if (state !== 'done' || part !== undefined) return false;
  return source === 'kubernetes'
    ? kubernetes.objects(kind).some((it) => it.metadata.uid === uid)
    : // A row that is put back has its uuid again.
      SEEN_GONE.has(code) && database.rows(kind).has(uid);
}

/** Said of what was just searched for. */
const SEEN_GONE: ReadonlySet<string> = new Set(['done', 'settled']);
