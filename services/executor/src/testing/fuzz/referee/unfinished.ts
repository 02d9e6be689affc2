import type { Action } from '@ovn-steward/contracts/actions/action';
import type { Cluster } from '../cluster';

/** Kinds whose deletion a kube-ovn-controller has to finish. */
const FINISHED_BY_CONTROLLER: ReadonlySet<string> = new Set(['IP', 'Vip', 'OvnEip', 'IptablesEIP']);
/** A leader that renewed its Lease so long ago is taken to be there; milliseconds. */
const FRESH_MS = 20_000;
/** And so old may be what was seen of it when something is sent. */
const LEEWAY_MS = 10_000;

/** Why nobody would finish this removal; undefined when somebody would. */
export function unfinished(
  { controller }: Cluster,
  { target: { kind, source, part } }: Action,
  steady: number,
): string | undefined {
  const since = controller.goneSince();
  return source === 'kubernetes' &&
    part === undefined &&
    FINISHED_BY_CONTROLLER.has(kind) &&
    since !== undefined &&
    steady - since > FRESH_MS + LEEWAY_MS
    ? `no controller has been there for ${Math.round((steady - since) / 1000)} s that would finish it`
    : undefined;
}

/** What an executor says to be done, and is there still. */
export function saidTooEarly(
  { kubernetes }: Cluster,
  { state, target: { source, kind, uid, part } }: Action,
): boolean {
  return (
    state === 'done' &&
    source === 'kubernetes' &&
    part === undefined &&
    kubernetes.objects(kind).some((it) => it.metadata.uid === uid)
  );
}
