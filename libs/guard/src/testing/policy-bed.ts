import { makeApi } from '@ovn-steward/testbed/kubernetes/api';
import { HttpError } from '@ovn-steward/testbed/kubernetes/http';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import { installPolicy } from '../install';
import { POLICIES } from '../policies/registry';
import { policyStateOf } from '../policy-state';
import { type RealKubernetes, realKubernetes } from '@ovn-steward/systems/testing/real-kubernetes';

export interface PolicyBed extends RealKubernetes {
  /**
   * What is answered to a request that would change something, or undefined when it would be done.
   * Nothing is done either way.
   */
  refusal(
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
    user?: string,
  ): Promise<string | undefined>;
  /**
   * Waits until such a request is refused: a policy comes into force some moments after it was
   * made.
   */
  untilRefused(
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
    user?: string,
  ): Promise<string>;
}

/**
 * A kube-apiserver on which one policy is installed, and users who may do everything, each with its
 * name for a token.
 */
export async function startPolicyBed(
  id: string,
  users: readonly string[] = [],
): Promise<PolicyBed> {
  const cluster = await realKubernetes(
    users.map((name) => ({ name, token: name, groups: ['system:masters'] })),
  );
  const { signal } = new AbortController();
  const policy = POLICIES.find((it) => it.id === id)!;
  await installPolicy(
    await policyStateOf(policy, cluster.kubernetes, signal),
    cluster.kubernetes,
    signal,
  );
  const refusal: PolicyBed['refusal'] = async (method, path, body, user) => {
    const api =
      user === undefined ? cluster.server.api : makeApi({ ...cluster.server, token: user });
    try {
      await api.send(method, `${path}?dryRun=All`, body);
      return undefined;
    } catch (error) {
      if (error instanceof HttpError && error.status >= 400 && error.status < 500)
        return error.message;
      throw error;
    } finally {
      if (user !== undefined) api.close();
    }
  };
  return {
    ...cluster,
    refusal,
    untilRefused: (method, path, body, user) =>
      waitFor(() => refusal(method, path, body, user), {
        what: `${policy.id} to be in force`,
        timeoutMs: 30_000,
      }),
  };
}
