import type { Command } from 'commander';
import { guardedVpcs } from '@ovn-steward/guard/free-vpcs';
import { heldPods } from '@ovn-steward/guard/pod-gates';
import { type Kubernetes } from '@ovn-steward/systems/kubernetes/kubernetes';
import { readWaiting } from '@ovn-steward/guard/waiting';
import { type PolicyState, policyStateOf } from '@ovn-steward/guard/policy-state';
import { Failure } from '@ovn-steward/shared/errors';
import { timeLimit } from '@ovn-steward/shared/time-limit';
import { EXIT } from '../process/exit-codes';
import { confirmed } from '../inputs/confirmed';
import { guardedKubernetes } from '../inputs/guarded-kubernetes';
import { type GuardedChangeOptions, withGuardedChange } from '../inputs/guarded-change';
import { policiesNamed } from '../inputs/policies';
import {
  removalEnding,
  removalJson,
  removalText,
  type GuardRemoval,
} from '../output/guard-remove-text';
import { takeAway } from './take-away';

/**
 * `steward guard remove`: takes away what is ours, the finalizers on Vpcs and the gates on pods
 * included, and nothing else.
 */
export function guardRemoveCommand(parent: Command, done: (code: number) => void): void {
  withGuardedChange(
    parent
      .command('remove')
      .argument(
        '[policies...]',
        'only these, by id, and no finalizer (the gates with pod-gate); by default all',
      )
      .description(
        'remove our policies, our finalizer from every Vpc, and our scheduling gate from every pod; writes only with --yes, or after a yes at the terminal',
      ),
  ).action(async (ids: readonly string[], options: GuardedChangeOptions) => {
    const policies = policiesNamed(ids);
    const { kubernetes, check, close } = guardedKubernetes(options);
    const signal = timeLimit(options.timeout * 1000);
    try {
      await check(signal);
      const states: PolicyState[] = [];
      for (const policy of policies) states.push(await policyStateOf(policy, kubernetes, signal));
      const removal = await removalOf(states, ids, kubernetes, signal);
      if (options.output === 'text') process.stdout.write(removalText(removal, new Date()));
      const isEmpty = removal.policies.length + removal.guarded.length + removal.held.length === 0;
      const written = !isEmpty && (await confirmed(options, 'Remove them?'));
      const taken = written ? await takeAway(removal, kubernetes, signal) : undefined;
      process.stdout.write(
        options.output === 'json' ? removalJson(removal, taken) : removalEnding(isEmpty, taken),
      );
      const { freed, refusedGates } = taken ?? { freed: [], refusedGates: [] };
      if (refusedGates.length > 0)
        throw new Failure(
          'guard-refused',
          `The gate of these pods was not lifted: ${refusedGates.join('; ')}. Run the command again.`,
        );
      done(
        (!isEmpty && !written) || freed.some((it) => it.left !== undefined)
          ? EXIT.findings
          : EXIT.nothingFound,
      );
    } finally {
      await close();
    }
  });
}

async function removalOf(
  states: readonly PolicyState[],
  ids: readonly string[],
  kubernetes: Kubernetes,
  signal: AbortSignal,
): Promise<GuardRemoval> {
  const policies = states.filter((it) => it.is === 'installed' || it.is === 'differs');
  // An operator who removes the policy that holds pods wants none held.
  const held =
    ids.length === 0 || ids.includes('pod-gate') ? await heldPods(kubernetes, signal) : [];
  if (ids.length > 0) return { policies, guarded: [], waiting: [], held };
  const guarded = await guardedVpcs(kubernetes, signal);
  return {
    policies,
    guarded,
    waiting: (await readWaiting(kubernetes, signal)).filter(({ name }) => guarded.includes(name)),
    held,
  };
}
