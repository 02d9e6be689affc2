import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { DECISION_VERBS } from '@ovn-steward/shared/access';
import { describeWith, kubernetes, ovn } from '@ovn-steward/testbed/fixture';
import { type KubernetesServer, startKubernetes } from '@ovn-steward/testbed/kubernetes';
import { kubeconfigText } from '@ovn-steward/testbed/kubernetes/kubeconfig';
import type { KubernetesObject } from '@ovn-steward/testbed/kubernetes/objects';
import { type OvnServer, startOvnStandalone } from '@ovn-steward/testbed/ovn';
import { recording } from '@ovn-steward/testbed/recordings';
import { issueCertificate, makeAuthority } from '@ovn-steward/testbed/run/certificates';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import { startSteward, steward } from '../testing/cli';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const ROOT = join(__dirname, '../../../..');
const PEOPLE = ['vera', 'paul', 'ada', 'nobody'] as const;
const ROLE_OF = { vera: 'viewer', paul: 'approver', ada: 'admin' } as const;

const ROLES = ['deploy/rbac.yaml', 'deploy/rbac-access.yaml'].flatMap((file) =>
  parseAllDocuments(readFileSync(join(ROOT, file), 'utf8')).map(
    (each) => each.toJS() as KubernetesObject & { rules?: object[] },
  ),
);
const roleNamed = (name: string) => ROLES.find(({ metadata }) => metadata.name === name)!;
const bound = (user: string, role: string): KubernetesObject =>
  ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: `${user}-${role}` },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
  }) as KubernetesObject;

interface Recorded {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Readonly<Record<string, unknown>>;
}

/**
 * What every decision of its type looks like that nothing here could come of, or that does no harm.
 */
const BODIES: Readonly<Record<(typeof DECISION_VERBS)[number], object>> = {
  hold: { scope: { subnet: 'none' }, reason: 'test' },
  resume: { scope: { subnet: 'none' } },
  approve: { finding: 'none', revision: 1 },
  withdraw: { of: 'approve/none' },
  undo: { of: 'none' },
  suppress: { selector: { subnet: 'none' }, reason: 'test' },
  unsuppress: { selector: { subnet: 'none' } },
  protect: { selector: { subnet: 'none' }, reason: 'test' },
  unprotect: { selector: { subnet: 'none' } },
  'give-up': { of: 'none', claimedAt: 'never', reason: 'test' },
};

describeWith(ovn, 'with a living OVN', () => {
  describeWith(kubernetes, 'and a Kubernetes that checks rights, steward run with a login', () => {
    let database: OvnServer | undefined = undefined;
    let cluster: KubernetesServer | undefined = undefined;
    let folder: string = '';
    let url: string = '';
    let metrics: string = '';
    let ca: string = '';
    let child: ReturnType<typeof startSteward>;
    let ended: Promise<number | null>;

    const send = (
      method: string,
      path: string,
      {
        token,
        body,
        type = 'application/json',
      }: { token?: string; body?: object; type?: string } = {},
    ): Promise<Recorded> =>
      new Promise((resolve, reject) => {
        request(
          url + path,
          {
            method,
            ca,
            agent: false,
            headers: {
              ...(token !== undefined && { authorization: `Bearer ${token}` }),
              ...(body && { 'content-type': type }),
            },
          },
          (response) => {
            let text = '';
            response.setEncoding('utf8').on('data', (it: string) => (text += it));
            response.on('end', () => {
              const json = /json/.test(String(response.headers['content-type']));
              resolve({
                status: response.statusCode!,
                body: json ? (JSON.parse(text) as Record<string, unknown>) : { text },
                headers: response.headers,
              });
            });
          },
        )
          .on('error', reject)
          .end(body && JSON.stringify(body));
      });
    const decide = (type: keyof typeof BODIES, who: string): Promise<Recorded> =>
      send('POST', '/decisions', { token: `${who}-token`, body: { type, ...BODIES[type] } });
    const as = (who: string, ...args: string[]) =>
      steward([...args, '--server', url, '--server-ca', join(folder, 'ca.pem')], {
        KUBECONFIG: join(folder, `${who}.kubeconfig`),
      });

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'steward-login-'));
      const authority = makeAuthority('people trust it');
      ca = authority.certificate;
      const { key, certificate } = issueCertificate(authority, 'localhost');
      for (const [name, text] of [
        ['ca.pem', ca],
        ['tls.key', key],
        ['tls.crt', certificate],
      ] as const)
        writeFileSync(join(folder, name), text);
      database = await startOvnStandalone({ database: recording('leaky', 'nb.db') });
      cluster = await startKubernetes({
        rbac: true,
        recording: recording('leaky', 'kubernetes.json'),
        users: ['steward', ...PEOPLE].map((name) => ({ name, token: `${name}-token` })),
      });
      await cluster.apply([
        ...ROLES.filter(({ kind }) => kind === 'ClusterRole'),
        bound('steward', 'ovn-steward-read'),
        bound('steward', 'ovn-steward-access'),
        ...Object.entries(ROLE_OF).map(([user, role]) => bound(user, `ovn-steward-${role}`)),
      ]);
      for (const who of ['steward', ...PEOPLE])
        writeFileSync(
          join(folder, `${who}.kubeconfig`),
          kubeconfigText(cluster.url, cluster.ca, `${who}-token`),
        );
      writeFileSync(
        join(folder, 'steward.json'),
        JSON.stringify({
          cluster: 'berlin-1',
          grace: { garbage: '0s', leak: '0s' },
          http: {
            auth: { by: 'kubernetes' },
            tls: { certificate: join(folder, 'tls.crt'), privateKey: join(folder, 'tls.key') },
            metrics: '127.0.0.1:0',
          },
        }),
      );
      child = startSteward(
        [
          ...['run', '--ovn-nb', database.remote, '--config', join(folder, 'steward.json')],
          ...['--kubernetes', join(folder, 'steward.kubeconfig')],
          ...['--state-dir', join(folder, 'state'), '--listen', '127.0.0.1:0'],
        ],
        { KUBECONFIG: join(folder, 'steward.kubeconfig') },
      );
      let stderr = '';
      child.stderr!.setEncoding('utf8').on('data', (text: string) => (stderr += text));
      child.stdout!.resume();
      ended = new Promise((resolve) => child.on('close', resolve));
      const shown = await waitFor(
        () => /^Listening on (https:\S+)\n.*\nMetrics on (http:\S+)$/m.exec(stderr) ?? undefined,
        { what: `it to listen: ${stderr}`, timeoutMs: 30_000 },
      );
      url = shown[1]!;
      metrics = shown[2]!;
    }, 180_000);
    afterAll(async () => {
      child?.kill('SIGTERM');
      await ended;
      await cluster?.stop();
      await database?.stop();
      rmSync(folder, { recursive: true });
    });

    test('no token, no read; probes and metrics have ports of their own', async () => {
      for (const path of [
        '/findings',
        '/findings/x',
        '/status',
        '/metrics',
        '/actions',
        '/openapi.json',
        '/decisions/x/heard',
      ]) {
        const { status, headers, body } = await send('GET', path);
        expect([path, status]).toEqual([path, 401]);
        expect(headers['www-authenticate']).toBe('Bearer realm="ovn-steward"');
        expect(JSON.stringify(body)).not.toContain('berlin');
      }
      expect((await send('GET', '/findings?access_token=vera-token')).status).not.toBe(200);
      expect((await send('GET', '/livez')).status).toBe(200);
      const scraped = await fetch(`${metrics}/metrics`);
      expect(await scraped.text()).toContain('steward_http_requests_refused_total{status="401"}');
      expect((await fetch(`${metrics}/findings`)).status).toBe(404);
    });

    test.each(['made-up', 'vera-token.x', 'x'.repeat(9000)])(
      'a forged token is refused: %.20s',
      async (token) => expect((await send('GET', '/findings', { token })).status).toBe(401),
    );

    test('who has no role reads nothing, and is shown which right he lacks', async () => {
      const { status, body } = await send('GET', '/findings', { token: 'nobody-token' });
      expect([status, body['message']]).toEqual([
        403,
        expect.stringContaining(
          'nobody lacks the right get on clusters.ovn-steward.dev for all clusters',
        ),
      ]);
    });

    test('a viewer reads all, and decides nothing', async () => {
      for (const path of ['/findings', '/status', '/metrics', '/actions', '/openapi.json'])
        expect((await send('GET', path, { token: 'vera-token' })).status).toBe(200);
      for (const verb of DECISION_VERBS) {
        const { status, body } = await decide(verb, 'vera');
        expect([verb, status]).toEqual([verb, 403]);
        expect(body['message']).toContain(`vera lacks the right ${verb} `);
      }
      expect(await as('vera', 'hold', '--reason', 'x')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(
          'vera lacks the right hold on clusters.ovn-steward.dev for cluster berlin-1',
        ),
      });
    });

    test('an approver decides all but what ends a claim nobody knows the outcome of', async () => {
      const statuses = new Map<string, number>();
      for (const verb of DECISION_VERBS) statuses.set(verb, (await decide(verb, 'paul')).status);
      expect(Object.fromEntries(statuses)).toEqual({
        hold: 202,
        resume: 202,
        approve: 404,
        withdraw: 202,
        undo: 404,
        suppress: 202,
        unsuppress: 202,
        protect: 202,
        unprotect: 202,
        'give-up': 403,
      });
      expect((await decide('give-up', 'ada')).status).toBe(404);
    });

    test('what is decided says who decided, how he proved it and from where, and the executor respects it', async () => {
      const held = await as(
        'paul',
        'hold',
        '--reason',
        'maintenance',
        '--output',
        'json',
        '--wait',
        '20',
      );
      expect([held.code, held.stderr]).toEqual([0, '']);
      const { body } = await send('GET', '/status', { token: 'vera-token' });
      expect(body['holds']).toEqual([
        expect.objectContaining({ scope: {}, by: 'paul', reason: 'maintenance' }),
      ]);
      const shown = await as('vera', 'holds', '--output', 'json');
      expect([shown.code, JSON.parse(shown.stdout)]).toEqual([
        0,
        expect.objectContaining({
          cluster: 'berlin-1',
          holds: [expect.objectContaining({ by: 'paul', reason: 'maintenance' })],
        }),
      ]);
      const { body: control } = await decide('suppress', 'paul');
      const kept = await as('vera', 'suppressions', '--output', 'json');
      expect(JSON.parse(kept.stdout)).toMatchObject({
        kept: [expect.objectContaining({ kind: 'suppress', by: 'paul' })],
      });
      expect((await send('GET', '/decisions', {})).status).toBe(401);
      expect((await send('GET', '/decisions', { token: 'nobody-token' })).status).toBe(403);
      expect(control).toMatchObject({
        type: 'suppress',
        cluster: 'berlin-1',
        by: 'paul',
        authenticated: { user: 'paul', method: 'kubernetes', from: '127.0.0.1' },
      });
      expect((await as('paul', 'resume', '--wait', '20')).code).toBe(0);
    });

    test('nothing says for itself who it is, and no form of a web page is taken', async () => {
      const body = { type: 'hold', ...BODIES.hold };
      const token = 'paul-token';
      const recorded = { by: 'ada', authenticated: { user: 'ada' }, at: '2020-01-01T00:00:00Z' };
      for (const [name, value] of Object.entries(recorded))
        expect(
          (await send('POST', '/decisions', { token, body: { ...body, [name]: value } })).status,
        ).toBe(400);
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])
        expect((await send('POST', '/decisions', { token, body, type })).status).toBe(415);
      const { headers } = await send('POST', '/decisions', { token, body });
      expect(Object.keys(headers).filter((it) => /^(access-control|set-cookie)/.test(it))).toEqual(
        [],
      );
      expect(
        (await send('POST', '/decisions', { token, body: { ...body, cluster: 'berlin-2' } }))
          .status,
      ).toBe(404);
    });

    test.each(DECISION_VERBS)(
      'the right %s taken away is a refusal that names it',
      async (verb) => {
        const role = roleNamed('ovn-steward-admin') as unknown as { rules: { verbs: string[] }[] };
        const put = (verbs: readonly string[]): Promise<unknown> =>
          cluster!.api.send('PUT', `${RBAC}/clusterroles/ovn-steward-admin`, {
            ...role,
            rules: [{ ...role.rules[0], verbs }],
          });
        const { verbs } = role.rules[0]!;
        await put(verbs.filter((it) => it !== verb));
        try {
          const refused = await waitFor(
            async () => {
              const answer = await decide(verb, 'ada');
              return answer.status === 403 ? answer : undefined;
            },
            { what: 'the right to be gone', timeoutMs: 20_000 },
          );
          expect(refused.body['message']).toContain(`ada lacks the right ${verb} `);
        } finally {
          await put(verbs);
        }
      },
    );

    test('an approval is of the revision that was read', async () => {
      // Twice seen: a Kubernetes in which nothing happens says once a minute that it is so.
      const finding = await waitFor(
        async () => {
          const { body } = await send('GET', '/findings?state=confirmed&limit=1000', {
            token: 'vera-token',
          });
          const found = body['findings'] as readonly {
            id: string;
            revision: number;
            remedy: object | null;
          }[];
          return found.find(({ remedy }) => remedy !== null);
        },
        { what: 'a finding with a remedy', timeoutMs: 200_000 },
      );
      const approve = (revision: number): Promise<Recorded> =>
        send('POST', '/decisions', {
          token: 'paul-token',
          body: { type: 'approve', finding: finding.id, revision },
        });
      expect((await approve(finding.revision + 1)).status).toBe(400);
      expect(await approve(finding.revision)).toMatchObject({
        status: 202,
        body: { type: 'approve', finding: finding.id, by: 'paul' },
      });
      const again = await as('paul', 'approve', finding.id.slice(0, 12));
      expect([again.code, again.stdout]).toEqual([
        0,
        expect.stringContaining(`Approved: ${finding.id.slice(0, 10)}`),
      ]);
    }, 240_000);
  });
});
