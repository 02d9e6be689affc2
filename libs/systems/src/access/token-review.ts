import type { Caller } from '@ovn-steward/shared/access';
import { Failure } from '@ovn-steward/shared/errors';
import { isRecord } from '../kubernetes/is-record';
import type { KubeAccess } from '../kubernetes/kube-request';
import { review } from './review';

const PATH = '/apis/authentication.k8s.io/v1/tokenreviews';

/**
 * The holder of a token, as the API server says (authentication.k8s.io/v1 TokenReview).
 * @param audiences for one of which it must have been made; none: for the API server.
 * @throws Failure `access-unauthenticated`; others as sending a request does.
 */
export async function reviewToken(
  access: KubeAccess,
  token: string,
  audiences: readonly string[],
  signal: AbortSignal,
): Promise<Caller> {
  const spec = { token, ...(audiences.length > 0 && { audiences }) };
  const status = await review(
    access,
    PATH,
    { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec },
    signal,
  );
  const user = isRecord(status['user']) ? status['user'] : {};
  const name = user['username'];
  if (status['authenticated'] !== true || typeof name !== 'string' || name === '')
    throw new Failure(
      'access-unauthenticated',
      'The API server does not accept this token: it is forged, has expired, or was made for somebody else. Renew it.',
    );
  // A server that knows no audiences answers with none, and has checked none.
  if (audiences.length > 0 && !strings(status['audiences']).some((it) => audiences.includes(it)))
    throw new Failure(
      'access-unauthenticated',
      `This token was not made for ${audiences.join(' or ')} (http.auth.audiences).`,
    );
  const uid = user['uid'];
  return {
    user: name,
    ...(typeof uid === 'string' && uid !== '' && { uid }),
    groups: strings(user['groups']),
    ...(isRecord(user['extra']) && { extra: extraOf(user['extra']) }),
    method: 'kubernetes',
  };
}

const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((it) => typeof it === 'string') : [];

const extraOf = (extra: Record<string, unknown>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(extra).map(([name, value]) => [name, strings(value)]));
