import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Shell } from '@ovn-steward/service/work/service';
import { Failure } from '@ovn-steward/shared/errors';
import { leaseOf } from '../lease/lease-settings';
import { type LeaderWork, type LeaseEvent, runAsLeader } from '../lease/run-as-leader';
import { kubeAccess } from '@ovn-steward/systems/kubernetes/kube-access';

export interface LeaseTurnOptions {
  /** Another has the turn, or may have it soon. */
  readonly onStandby: () => void;
}

/**
 * Runs the work when it is this collector's turn: by a Lease where the settings want one, else at
 * once, as the lock on the state directory allows. A turn that was lost while the work does not
 * stop ends the process.
 */
export async function runInTurn(
  shell: Pick<Shell, 'settings' | 'logger' | 'endAtOnce'>,
  { onStandby }: LeaseTurnOptions,
  signal: AbortSignal,
  work: LeaderWork,
): Promise<void> {
  const { settings, logger, endAtOnce } = shell;
  const lease = leaseOf(settings);
  if (!lease) return work(0, signal);
  const { kubeconfig, context } = settings.kubernetes;
  const access = kubeAccess(
    lease.inPod
      ? { asPod: true }
      : {
          ...(kubeconfig === undefined ? {} : { kubeconfig }),
          ...(context === undefined ? {} : { context }),
        },
  );
  let working = 0;
  const onEvent = ({ type, ...fields }: LeaseEvent): void => {
    if (type === 'waiting' || type === 'lost') onStandby();
    logger[type === 'lease-failed' || type === 'lost' ? 'warn' : 'info'](MESSAGES[type], fields);
  };
  try {
    await runAsLeader(
      { ...lease, access, identity: `${hostname()}_${randomUUID()}`, onEvent },
      async (term, leadership) => {
        working += 1;
        await work(term, leadership).finally(() => {
          working -= 1;
        });
      },
      signal,
    );
  } catch (error) {
    if (error instanceof Failure && error.code === 'leadership-lost' && working > 0)
      endAtOnce(error);
    throw error;
  }
}

const MESSAGES: Readonly<Record<LeaseEvent['type'], string>> = {
  waiting: 'another collector has the Lease',
  leading: 'leading',
  'lease-failed': 'the Lease could not be read or written',
  lost: 'the Lease is lost',
  released: 'the Lease is given back',
};
