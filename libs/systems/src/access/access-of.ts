import type { Access, Caller } from '@ovn-steward/shared/access';
import { Failure } from '@ovn-steward/shared/errors';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import { kubeAccess } from '../kubernetes/kube-access';
import { reviewAccess } from './access-review';
import { limitReviews } from './limit-reviews';
import { oidcKeys } from './oidc-keys';
import { readOidcToken } from './oidc-token';
import { reviewToken } from './token-review';

/**
 * Who may do what over HTTP, by the settings; undefined where no login is needed. Rights are
 * reviewed by the Kubernetes that the settings name, under our own account, which needs the
 * ClusterRole `system:auth-delegator`.
 * @throws Failure `config-invalid`, `input-not-found` where that Kubernetes is not named.
 */
export function accessOf({
  http: { auth },
  kubernetes: { kubeconfig, context },
}: Pick<Settings, 'http' | 'kubernetes'>): Access | undefined {
  if (auth.by === 'off') return undefined;
  const kubernetes = kubeAccess({
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(context !== undefined && { context }),
  });
  return {
    authenticate:
      auth.by === 'oidc'
        ? oidcAuthentication(auth.oidc)
        : limitReviews((token, signal) => reviewToken(kubernetes, token, auth.audiences, signal)),
    authorize: (caller, verb, cluster, signal) =>
      reviewAccess(kubernetes, caller, verb, cluster, signal),
  };
}

function oidcAuthentication(
  oidc: Settings['http']['auth']['oidc'],
): (token: string) => Promise<Caller> {
  const { issuer, audience, caCertificate, ...options } = oidc;
  if (issuer === undefined || audience === undefined)
    throw new Failure('config-invalid', 'http.auth.oidc needs issuer and audience');
  const keys = oidcKeys(issuer, caCertificate);
  return (token) => readOidcToken(token, keys, { ...options, issuer, audience });
}
