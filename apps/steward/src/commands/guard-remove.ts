import type { Command } from 'commander';
import { freeVpcs, type FreedVpc, guardedVpcs } from '@ovn-steward/guard/free-vpcs';
import { heldPods, liftAllGates } from '@ovn-steward/guard/pod-gates';
import { type Kubernetes } from '@ovn-steward/systems/kubernetes/kubernetes';
import { readWaiting } from '@ovn-steward/guard/waiting';
import { removePolicy } from '@ovn-steward/guard/install';
import { type PolicyState, policyStateOf } from '@ovn-steward/guard/policy-state';
import { Failure } from '@ovn-steward/shared/errors';
import { timeLimit } from '@ovn-steward/shared/time-limit';
import { EXIT } from '../process/exit-codes';
import { confirmed } from '../inputs/confirmed';
import { guardedKubernetes } from '../inputs/guarded-kubernetes';
import { type GuardedChangeOptions, withGuardedChange } from '../inputs/guarded-change';
import { policiesNamed } from '../inputs/policies';
import { removalJson, removalText, type GuardRemoval } from '../output/guard-remove-text';

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
      const written = !isEmpty && (await confirmed(options, 'Take it away?'));
      const freed = written ? await carriedOut(removal, kubernetes, signal) : [];
      process.stdout.write(
        options.output === 'json'
          ? removalJson(removal, written, freed)
          : ending(isEmpty, written, freed),
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

async function carriedOut(
  { policies, guarded, held }: GuardRemoval,
  kubernetes: Kubernetes,
  signal: AbortSignal,
): Promise<readonly FreedVpc[]> {
  for (const policy of policies) await removePolicy(policy, kubernetes, signal);
  const gates = held.length === 0 ? { refused: [] } : await liftAllGates(kubernetes, signal); // after the policy, so that no new one is held
  if (gates.refused.length > 0)
    throw new Failure(
      'guard-refused',
      `The gate of these pods was not lifted: ${gates.refused.join('; ')}. Run the command again.`,
    );
  return guarded.length === 0 ? [] : freeVpcs(kubernetes, signal);
}

function ending(isEmpty: boolean, written: boolean, freed: readonly FreedVpc[]): string {
  if (isEmpty) return 'Nothing of ours is there.\n';
  if (!written) return 'Nothing was written. To take it away, run the command again with --yes.\n';
  return [
    'Taken away.',
    ...freed.flatMap(({ name, left }) =>
      left === undefined ? [] : [`Vpc ${name} still has our finalizer: ${left}`],
    ),
    '',
  ].join('\n');
}
