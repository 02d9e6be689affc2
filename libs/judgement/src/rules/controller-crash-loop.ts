import { isBeingDeleted } from '../kube-ovn/deletion';
import { kubeOvnControllers } from '../relations/kube-ovn-controllers';
import { defineRule, healthy, violation } from '../rule-kit/rule';
import type { ContainerStatus } from '../world/kubernetes-objects';
import { value } from '../rule-kit/facts';

/** Ended so often and not ready, it is not merely starting. */
const ENDED = 3;

/**
 * Kube-OVN's controller ends again and again.
 *
 * One row that its collection cannot handle ends it at each start, and doubled ACLs did
 * (kube-ovn.md §0.2, rows 65 and 75). Each start collects and rebuilds its memory of addresses.
 */
export default defineRule({
  id: 'controller-crash-loop',
  class: 'missing',
  severity: 'critical',
  subject: 'Pod',
  reads: [],
  about:
    "Kube-OVN's controller ends and is started again, so that pods get no network and nothing is cleaned up. The last lines of its log (`kubectl logs --previous`) name the row; `--gc-interval=0` lets it start without collection, and what Kube-OVN has to finish, such as `delete-ip`, waits meanwhile.",

  check(pod) {
    if (kubeOvnControllers.keys(pod).length === 0 || isBeingDeleted(pod)) return healthy;
    const crashing = (pod.object.status?.containerStatuses ?? []).find(isCrashLooping);
    if (!crashing) return healthy;
    const { reason = '', exitCode } = crashing.lastState?.terminated ?? {};
    const last =
      exitCode === undefined
        ? ''
        : `, last with exit code ${exitCode}${reason === '' ? '' : ` (${reason})`}`;
    return violation({
      summary: `container ${crashing.name ?? ''} of Kube-OVN's controller ${pod.namespace}/${pod.name} ended ${crashing.restartCount ?? 0} times${last}`,
      proof: [
        value(
          pod,
          `status.containerStatuses of ${crashing.name ?? ''}, restartCount`,
          String(crashing.restartCount ?? 0),
        ),
        value(
          pod,
          `status.containerStatuses of ${crashing.name ?? ''}, state.waiting.reason`,
          crashing.state?.waiting?.reason ?? '',
        ),
      ],
    });
  },
});

const isCrashLooping = ({ state, ready, restartCount = 0, lastState }: ContainerStatus): boolean =>
  state?.waiting?.reason === 'CrashLoopBackOff' ||
  (ready === false && restartCount >= ENDED && (lastState?.terminated?.exitCode ?? 0) !== 0);
