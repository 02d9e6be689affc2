import { Failure, messageOf } from '@ovn-steward/shared/errors';
import type { Kubernetes, ObjectEvent } from '@ovn-steward/systems/kubernetes/kubernetes';
import type { Denials } from './denials';
import { type Grown, grownDenials } from './grown-denials';
import { POLICIES } from './policies/registry';
import { nameInCluster, type Policy } from './policy-kit/policy';
import { isOurs } from './policy-state';

export interface ReportDenialsOptions {
  readonly kubernetes: Pick<Kubernetes, 'get' | 'writeEvent'>;
  /** When the counts were read. */
  readonly now: () => Date;
  /**
   * Called when an Event on a policy could not be written; it is tried again with the next counts.
   * Must not throw.
   */
  readonly onFailure: (error: string) => void;
}

/**
 * Writes an Event on each policy of ours that refused something since the last report. Skips a
 * policy that was deleted, or whose name belongs to an object that is not ours.
 */
export function reportDenials({
  kubernetes,
  now,
  onFailure,
}: ReportDenialsOptions): (denials: Denials, signal: AbortSignal) => Promise<void> {
  const grown = grownDenials();
  const writeEvent = async (
    startedAt: number,
    denial: Grown,
    signal: AbortSignal,
  ): Promise<void> => {
    const policy = POLICIES.find(({ id }) => id === denial.policy);
    const current =
      policy?.refusalReason &&
      (await kubernetes.get(policy.needs, undefined, nameInCluster(policy.id), signal));
    if (
      current &&
      isOurs(current) &&
      !(await kubernetes.writeEvent(
        eventOn(policy, current.metadata.uid, startedAt, denial),
        signal,
      ))
    ) {
      throw new Failure(
        'guard-refused',
        'no Event could be written. The rights that are needed are in deploy/rbac-guard.yaml.',
      );
    }
    denial.reported();
  };
  return async (denials, signal) => {
    for (const denial of grown(denials, now())) {
      try {
        await writeEvent(denials.startedAt!, denial, signal);
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof Failure)) throw error;
        onFailure(
          `${requests(denial.count)} that ${nameInCluster(denial.policy)} refused could not be recorded on the policy, and will be with the next count: ${messageOf(error)}`,
        );
      }
    }
  };
}

function eventOn(
  { id, needs, does, refusalReason }: Policy,
  uid: string,
  startedAt: number,
  { count, since }: Grown,
): ObjectEvent {
  return {
    regarding: { kind: needs, name: nameInCluster(id), uid },
    type: 'Warning',
    reason: refusalReason!,
    action: 'RefuseRequest',
    note: `By this policy the API server that was started at ${new Date(startedAt * 1000).toISOString()} refused ${requests(count)} since ${since.toISOString()}, dry runs counted in. The policy: ${does} Who asked, and for which object, only the audit log of that server says, where one is kept.`,
  };
}

const requests = (count: number): string => (count === 1 ? 'one request' : `${count} requests`);
