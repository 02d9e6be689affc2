import { isBeingDeleted } from '../kube-ovn/deletion';
import { kubeOvnControllers } from '../relations/kube-ovn-controllers';
import { value } from '../rule-kit/facts';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import { ALL_SERVED, servedPods } from '../tallies/served-pods';
import type { ContainerStatus } from '../world/kubernetes-objects';

/** So many ends are no installation that waited for the databases, and no drained nodes. */
const OFTEN = 10;
/** Minutes. Who ends sooner is in the kubelet's back-off: `controller-crash-loop`. */
const LEAST = 10;
/** Minutes. */
const HOUR = 60;
const MINUTE_MS = 60_000;

/**
 * Kube-OVN's controller works for a while, ends, and is started again, over and over.
 *
 * It ends itself where it does not renew its Lease in time or an error of its collection is not
 * handled (cmd/controller, kube-ovn.md §0.2, row 75), and is ended where its memory does not
 * suffice. Between two ends it is ready, so nothing else shows it. Only the last end is kept in a
 * pod, so how often is judged by the count over the pod's age; and no clock is read: that the
 * present run lasts is shown by a pod that was made an hour into it and has an address.
 */
export default defineRule({
  id: 'controller-ends-often',
  class: 'drift',
  severity: 'warning',
  subject: 'Pod',
  reads: [],
  about:
    "Kube-OVN's controller ends again and again after it worked for less than an hour: it does not renew its Lease in time, its memory does not suffice, or its collection fails. Each start rebuilds its memory of addresses, collects, and writes all ACLs again, and pods wait meanwhile; the last lines of its log (`kubectl logs --previous`) say why it ended.",

  check(pod, view) {
    if (kubeOvnControllers.keys(pod).length === 0 || isBeingDeleted(pod)) return healthy;
    const born = minuteOf(pod.object.metadata.creationTimestamp);
    const restarting = (pod.object.status?.containerStatuses ?? []).find((it) =>
      endsOften(it, born),
    );
    if (!restarting) return healthy;
    const { restartCount = 0, state, lastState } = restarting;
    const { startedAt = '', finishedAt = '', exitCode, reason = '' } = lastState!.terminated!;
    const since = state?.running?.startedAt ?? '';
    const newest = view.talliedVerdict(servedPods, ALL_SERVED)?.newest ?? 0;
    if (newest >= minuteOf(since) + HOUR) return healthy;
    const code = `exit code ${exitCode ?? 'unknown'}${reason === '' ? '' : ` (${reason})`}`;
    const lasted = Math.floor(minuteOf(finishedAt) - minuteOf(startedAt));
    const name = restarting.name ?? '';
    return violation({
      summary: `container ${name} of Kube-OVN's controller ${pod.namespace}/${pod.name} ended ${restartCount} times since ${pod.object.metadata.creationTimestamp}, the last time at ${finishedAt} after ${lasted} minutes with ${code}`,
      proof: [
        value(pod, `status.containerStatuses of ${name}, restartCount`, String(restartCount)),
        value(
          pod,
          `status.containerStatuses of ${name}, lastState.terminated.finishedAt`,
          finishedAt,
        ),
        value(pod, `status.containerStatuses of ${name}, state.running.startedAt`, since),
      ],
    });
  },
});

/** Minutes since 1970; not a number where it does not say. */
const minuteOf = (time: string | undefined): number => Date.parse(time ?? '') / MINUTE_MS;

/**
 * Whether its last run and the average one of the pod lasted less than an hour, and the last one
 * long enough to work.
 */
function endsOften({ restartCount = 0, state, lastState }: ContainerStatus, born: number): boolean {
  const { startedAt, finishedAt } = lastState?.terminated ?? {};
  const lasted = minuteOf(finishedAt) - minuteOf(startedAt);
  const all = minuteOf(state?.running?.startedAt) - born;
  return restartCount >= OFTEN && lasted >= LEAST && lasted < HOUR && all < restartCount * HOUR;
}
