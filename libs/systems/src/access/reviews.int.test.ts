import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { decodeJwt, SignJWT } from 'jose';
import { describeWith, kubernetes } from '@ovn-steward/testbed/fixture';
import { type KubernetesServer, startKubernetes } from '@ovn-steward/testbed/kubernetes';
import { kubeAccess } from '../kubernetes/kube-access';
import { accessOf } from './access-of';
import { reviewAccess } from './access-review';
import { reviewToken } from './token-review';

const { signal } = new AbortController();
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const OFF = {
  audiences: [],
  plaintext: false,
  oidc: { userClaim: 'sub', groupsClaim: 'groups', prefix: 'oidc:' },
};

describeWith(kubernetes, 'on a Kubernetes that checks rights', () => {
  let server: KubernetesServer;
  const access = () => kubeAccess({ kubeconfig: server.kubeconfig });
  const tokenOf = async (audiences?: readonly string[]): Promise<string> => {
    const { status } = (await server.api.send(
      'POST',
      '/api/v1/namespaces/default/serviceaccounts/bot/token',
      {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: { ...(audiences && { audiences }), expirationSeconds: 600 },
      },
    )) as { status: { token: string } };
    return status.token;
  };
  /** What the server itself would have signed, with other claims. */
  const signed = (token: string, claims: object): Promise<string> =>
    new SignJWT({ ...decodeJwt(token), ...claims })
      .setProtectedHeader({ alg: 'RS256' })
      .sign(createPrivateKey(readFileSync(join(dirname(server.kubeconfig), 'accounts.key'))));

  beforeAll(async () => {
    server = await startKubernetes({
      rbac: true,
      users: [{ name: 'anna', token: 'anna-token', groups: ['net', 'ops'] }],
    });
    await server.api.send('POST', '/api/v1/namespaces/default/serviceaccounts', {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'bot', namespace: 'default' },
    });
  });
  afterAll(() => server?.stop());

  test('a token says who holds it, and in which groups', async () => {
    expect(await reviewToken(access(), 'anna-token', [], signal)).toMatchObject({
      user: 'anna',
      groups: ['net', 'ops', 'system:authenticated'],
      method: 'kubernetes',
    });
    const bot = await reviewToken(access(), await tokenOf(), [], signal);
    expect(bot.user).toBe('system:serviceaccount:default:bot');
    expect(bot.uid).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('forged, expired and foreign tokens prove nobody', async () => {
    const token = await tokenOf();
    const hour = Math.floor(Date.now() / 1000) - 3600;
    expect((await reviewToken(access(), await signed(token, {}), [], signal)).user).toContain(
      'bot',
    );
    const [head, body, signature] = token.split('.') as [string, string, string];
    const another = Buffer.from(
      JSON.stringify({ ...decodeJwt(token), sub: 'system:serviceaccount:kube-system:root' }),
    ).toString('base64url');
    for (const bad of [
      'no-such-token',
      `${head}.${another}.${signature}`,
      `${head}.${body}.`,
      await signed(token, { exp: hour, iat: hour - 60, nbf: hour - 60 }),
      await tokenOf(['another-service']),
    ])
      await expect(reviewToken(access(), bad, [], signal)).rejects.toMatchObject({
        code: 'access-unauthenticated',
      });
  });

  test('a token counts only for the audience it was made for', async () => {
    const ours = await tokenOf(['ovn-steward']);
    expect((await reviewToken(access(), ours, ['ovn-steward'], signal)).user).toContain('bot');
    await expect(
      reviewToken(access(), await tokenOf(), ['ovn-steward'], signal),
    ).rejects.toMatchObject({ code: 'access-unauthenticated' });
  });

  test('a right holds for the cluster it names, and its lack is named', async () => {
    const anna = { user: 'anna', groups: ['net'], method: 'kubernetes' };
    await server.api.send('POST', `${RBAC}/clusterroles`, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'holder' },
      rules: [
        {
          apiGroups: ['ovn-steward.dev'],
          resources: ['clusters'],
          resourceNames: ['berlin-1'],
          verbs: ['hold'],
        },
      ],
    });
    await server.api.send('POST', `${RBAC}/clusterrolebindings`, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'holder' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'holder' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'net' }],
    });
    const may = (verb: 'hold' | 'undo', cluster?: string): Promise<void> =>
      reviewAccess(access(), anna, verb, cluster, signal);
    await expect(may('hold', 'berlin-1')).resolves.toBeUndefined();
    await expect(may('hold', 'berlin-2')).rejects.toMatchObject({
      code: 'access-forbidden',
      message: expect.stringMatching(
        /^anna lacks the right hold on clusters\.ovn-steward\.dev for cluster berlin-2: /,
      ),
    });
    await expect(may('hold')).rejects.toThrow('for all clusters');
    await expect(may('undo', 'berlin-1')).rejects.toThrow('the right undo');
  });

  test('while the API server cannot be asked, nobody is let in', async () => {
    const http = {
      listen: '127.0.0.1:0',
      tls: {},
      decisions: {},
      auth: { ...OFF, by: 'kubernetes' as const },
    };
    const own = accessOf({ http, kubernetes: { kubeconfig: server.kubeconfig } })!;
    expect((await own.authenticate('anna-token', signal)).user).toBe('anna');
    await server.kill();
    await expect(own.authenticate('anna-token', signal)).rejects.toMatchObject({
      code: 'source-unreachable',
    });
    await expect(
      own.authorize({ user: 'anna', groups: [], method: 'kubernetes' }, 'get', undefined, signal),
    ).rejects.toMatchObject({ code: 'source-unreachable' });
  });
});
