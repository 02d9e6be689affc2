import type { Command } from 'commander';
import { type Kubernetes } from '@ovn-steward/systems/kubernetes/kubernetes';
import { POLICIES } from '@ovn-steward/guard/policies/registry';
import { readDenials } from '@ovn-steward/guard/denials';
import { readWaiting } from '@ovn-steward/guard/waiting';
import { policyStateOf } from '@ovn-steward/guard/policy-state';
import { Failure } from '@ovn-steward/shared/errors';
import { timeLimit } from '@ovn-steward/shared/time-limit';
import { EXIT } from '../process/exit-codes';
import { type KubernetesOptions, kubernetesOf, withKubernetes } from '../inputs/kubernetes';
import {
  type GuardStatus,
  isLackingPolicy,
  statusJson,
  statusText,
} from '../output/guard-status-text';
import { secondsOption } from '../inputs/seconds';
import { reportOption } from '../inputs/report-option';

interface StatusOptions extends KubernetesOptions {
  readonly timeout: number;
  readonly output: 'text' | 'json';
}

/** `steward guard status`: each policy as it stands, what was refused, and which deletions wait. */
export function guardStatusCommand(parent: Command, done: (code: number) => void): void {
  withKubernetes(
    parent
      .command('status')
      .description(
        'show which policies are installed, how often each refused a request, and which Vpc deletions wait for what',
      ),
  )
    .addOption(secondsOption('--timeout <duration>', 'how long it may take', 60))
    .addOption(reportOption())
    .action(async (options: StatusOptions) => {
      const kubernetes = kubernetesOf(options);
      try {
        const status = await statusOf(kubernetes, timeLimit(options.timeout * 1000));
        process.stdout.write(
          options.output === 'json' ? statusJson(status) : statusText(status, new Date()),
        );
        const isLacking =
          status.policies.some((it) => isLackingPolicy(it)) || (status.waiting ?? []).length > 0;
        done(
          isLacking
            ? EXIT.findings
            : status.policies.some((it) => it.is === 'unknown') || status.waiting === null
              ? EXIT.couldNotKnow
              : EXIT.nothingFound,
        );
      } finally {
        await kubernetes.close();
      }
    });
}

/** Reports what cannot be read; the rest is still reported. */
async function statusOf(kubernetes: Kubernetes, signal: AbortSignal): Promise<GuardStatus> {
  const unread: string[] = [];
  const orNull = async <T>(what: string, read: Promise<T>): Promise<T | null> => {
    try {
      return await read;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      unread.push(`${what}: ${error.message}`);
      return null;
    }
  };
  await kubernetes.identity(signal); // a server that cannot be reached at all is one failure, not many
  const denials = await orNull('How often they refused something', readDenials(kubernetes, signal));
  const policies: GuardStatus['policies'][number][] = [];
  for (const policy of POLICIES) {
    const state = await orNull(policy.id, policyStateOf(policy, kubernetes, signal));
    policies.push({
      id: policy.id,
      onlyByName: policy.onlyByName === true,
      does: policy.does,
      needs: policy.needs,
      is: state?.is ?? 'unknown',
      refused: denials?.byPolicy.get(policy.id) ?? null,
    });
  }
  return {
    policies,
    waiting: await orNull('Deletions that wait', readWaiting(kubernetes, signal)),
    unread,
  };
}
