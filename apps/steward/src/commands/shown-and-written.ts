import { installPolicy } from '@ovn-steward/guard/install';
import { type Kubernetes } from '@ovn-steward/systems/kubernetes/kubernetes';
import { manifestText } from '@ovn-steward/guard/manifest-text';
import { type Policy } from '@ovn-steward/guard/policy-kit/policy';
import { type PolicyState, policyStateOf } from '@ovn-steward/guard/policy-state';
import { Failure } from '@ovn-steward/shared/errors';
import { installText } from '../output/guard-install-text';
import { confirmed } from '../inputs/confirmed';

export interface Written {
  readonly states: readonly PolicyState[];
  /** Those that are not installed as they should be. */
  readonly due: readonly PolicyState[];
  readonly written: boolean;
}

/**
 * Shows what each policy does and what would be written, and writes it once that is confirmed.
 * @throws Failure `guard-refused`, `source-forbidden`.
 */
export async function shownAndWritten(
  policies: readonly Policy[],
  kubernetes: Kubernetes,
  options: {
    readonly yes?: boolean;
    readonly dryRun?: boolean;
    readonly show: (text: string) => void;
  },
  signal: AbortSignal,
): Promise<Written> {
  const states: PolicyState[] = [];
  for (const policy of policies) states.push(await policyStateOf(policy, kubernetes, signal));
  const due = states.filter((it) => manifestText(it) !== '');
  options.show(installText(states));
  const written =
    due.length > 0 && (await confirmed(options, `Write ${due.length === 1 ? 'it' : 'them'}?`));
  if (written) await installAll(due, kubernetes, signal);
  return { states, due, written };
}

/** All or, where a name is taken, none. */
async function installAll(
  due: readonly PolicyState[],
  kubernetes: Kubernetes,
  signal: AbortSignal,
): Promise<void> {
  const foreign = due
    .filter((it) => it.is === 'foreign')
    .map(({ policy }) => `ovn-steward-${policy.id}`);
  if (foreign.length > 0)
    throw new Failure(
      'guard-refused',
      `${foreign.join(', ')}: there is a policy or a binding of that name which is not ours (it has no label app.kubernetes.io/managed-by=ovn-steward). Nothing was written. Check it, and rename or remove it if it is not needed.`,
    );
  for (const policy of due) await installPolicy(policy, kubernetes, signal);
}
