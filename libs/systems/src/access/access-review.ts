import { ACCESS_RESOURCE, type AccessVerb, type Caller } from '@ovn-steward/shared/access';
import { Failure } from '@ovn-steward/shared/errors';
import type { KubeAccess } from '../kubernetes/kube-request';
import { review } from './review';

const PATH = '/apis/authorization.k8s.io/v1/subjectaccessreviews';

/**
 * Requires that Kubernetes gives the caller that right on the cluster of that name, or on all
 * (authorization.k8s.io/v1 SubjectAccessReview).
 * @throws Failure `access-forbidden`, which names the right; others as sending a request does.
 */
export async function reviewAccess(
  access: KubeAccess,
  { user, uid, groups, extra }: Caller,
  verb: AccessVerb,
  cluster: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { group, resource } = ACCESS_RESOURCE;
  const status = await review(
    access,
    PATH,
    {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      spec: {
        user,
        ...(uid !== undefined && { uid }),
        groups,
        ...(extra !== undefined && { extra }),
        resourceAttributes: {
          group,
          version: 'v1',
          resource,
          verb,
          ...(cluster !== undefined && { name: cluster }),
        },
      },
    },
    signal,
  );
  if (status['allowed'] === true && status['denied'] !== true) return;
  const on = cluster === undefined ? 'for all clusters' : `for cluster ${cluster}`;
  throw new Failure(
    'access-forbidden',
    `${user} lacks the right ${verb} on ${resource}.${group} ${on}: have it granted by a ClusterRole such as ovn-steward-${verb === 'get' ? 'viewer' : verb === 'give-up' ? 'admin' : 'approver'}.`,
  );
}
