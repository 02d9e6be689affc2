import { Failure } from '@ovn-steward/shared/errors';
import { statusFailure, transportFailure, waitAtLeast } from './kube-failure';

const coded = (code: string): Error => Object.assign(new Error(code), { code });

test.each([
  [401, 'source-refused'],
  [403, 'source-forbidden'],
  [404, 'source-not-served'],
  [410, 'source-expired'],
  [429, 'source-unreachable'],
  [500, 'source-unreachable'],
  [503, 'source-unreachable'],
  [302, 'source-broken'],
  [400, 'source-broken'],
])('HTTP %i is %s', (status, code) => {
  expect(statusFailure('GET /api/v1/pods', status, 'whatever a proxy says').code).toBe(code);
});

test('a position the server has not reached calls for a new list', () => {
  const body = JSON.stringify({
    kind: 'Status',
    reason: 'Timeout',
    details: { causes: [{ reason: 'ResourceVersionTooLarge' }] },
  });
  expect(statusFailure('GET /api/v1/pods', 504, body).code).toBe('source-expired');
  expect(
    statusFailure('GET /api/v1/pods', 504, JSON.stringify({ details: { causes: 'none' } })).code,
  ).toBe('source-unreachable');
});

test.each([
  ['GET /apis/kubeovn.io/v1/subnets', 'Grant get, list and watch on the resource to this'],
  ['POST /apis/events.k8s.io/v1/namespaces/default/events', 'Grant create on the resource'],
  ['PATCH /apis/kubeovn.io/v1/vpcs/a', 'Grant patch on the resource'],
  ['DELETE /apis/kubeovn.io/v1/ips/a', 'Grant delete on the resource'],
  ['GET /metrics', 'Grant get on /metrics (nonResourceURLs of a ClusterRole) to this identity.'],
])('%s, forbidden: which right to grant', (request, advice) => {
  expect(statusFailure(request, 403, '').message).toContain(`HTTP 403. ${advice}`);
});

test('plain HTTP to a server of TLS: which address to write', () => {
  expect(
    statusFailure('GET /api/v1/pods', 400, 'Client sent an HTTP request to an HTTPS server.\n')
      .message,
  ).toBe(
    'GET /api/v1/pods was answered with HTTP 400. It speaks TLS: write https:// in place of http:// as the server in the kubeconfig.',
  );
});

test('says what the server said', () => {
  const failure = statusFailure(
    'GET /api/v1/pods',
    403,
    JSON.stringify({ message: 'pods is forbidden: User "jo" cannot list' }),
  );
  expect(failure.message).toBe(
    'GET /api/v1/pods was answered with HTTP 403: pods is forbidden: User "jo" cannot list. Grant get, list and watch on the resource to this identity.',
  );
});

test.each([
  ['ECONNREFUSED', 'source-unreachable'],
  ['ENOTFOUND', 'source-unreachable'],
  ['EPROTO', 'source-unreachable'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'source-certificate'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'source-certificate'],
  ['CERT_HAS_EXPIRED', 'source-certificate'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'source-certificate'],
])('%s is %s', (error, code) => {
  const failure = transportFailure('https://cluster:6443', coded(error));
  expect(failure.code).toBe(code);
  expect(failure.message).toContain('https://cluster:6443');
  expect(failure.message).toContain(error);
});

test.each(['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_OSSL_UNSUPPORTED'])(
  '%s says that the handshake failed, not that nothing answers',
  (error) => {
    const { message } = transportFailure('https://cluster:6443', coded(error));
    expect(message).toMatch(/^No TLS with https:\/\/cluster:6443 .*speaks TLS.*client certificate/);
    expect(message).not.toContain('does not answer');
  },
);

test('leaves a Failure as it is, and knows no more than it is given', () => {
  const failure = new Failure('source-broken', 'known');
  expect(transportFailure('https://cluster', failure)).toBe(failure);
  expect(transportFailure('https://cluster', new Error('?')).message).toContain(
    'connection failed',
  );
});

test('a wait is never shorter than the server asked for', () => {
  const busy = statusFailure('GET /pods', 429, '', 3000);
  expect([
    waitAtLeast(500, busy),
    waitAtLeast(5000, busy),
    waitAtLeast(500, statusFailure('GET /pods', 500, '')),
    waitAtLeast(500, new Error('a bug')),
  ]).toEqual([3000, 5000, 500, 500]);
});
