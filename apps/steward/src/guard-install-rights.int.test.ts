import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { POLICIES } from '@ovn-steward/guard/policies/registry';
import { describeWith, kubernetes, ovn } from '@ovn-steward/testbed/fixture';
import type { KubernetesServer } from '@ovn-steward/testbed/kubernetes';
import { GrantedRole, rightsIn } from '@ovn-steward/testbed/kubernetes/granted-role';
import type { KubernetesObject } from '@ovn-steward/testbed/kubernetes/objects';
import type { OvnServer } from '@ovn-steward/testbed/ovn';
import { parseAllDocuments } from 'yaml';
import { steward } from './testing/cli';
import { ROOT } from './testing/pages';
import { type RightsBed, startRightsBed } from './testing/rights-bed';

const ROLE = 'ovn-steward-guard-install';
const USER = 'installer';
const GUARD = 'ovn-steward.dev/vpc-guard';
const GATE = 'ovn-steward.dev/subnet-ready';
const ADMISSION = '/apis/admissionregistration.k8s.io/v1';
const ADMISSION_KINDS = ['validatingadmissionpolicies', 'mutatingadmissionpolicies'].flatMap(
  (it) => [it, it.replace('policies', 'policybindings')],
);
const MANIFEST = parseAllDocuments(readFileSync(join(ROOT, 'deploy/rbac-guard.yaml'), 'utf8')).map(
  (it) => it.toJS() as KubernetesObject,
);

describeWith(kubernetes, 'who installs guards, on kube-apiserver', () => {
  describeWith(ovn, 'and OVN', () => {
    let bed: RightsBed;
    let server: KubernetesServer;
    let northbound: OvnServer;
    let role: GrantedRole;
    let kubeconfig = '';

    beforeAll(async () => {
      bed = await startRightsBed(USER);
      ({ server, northbound, kubeconfig } = bed);
      await server.apply([
        ...MANIFEST.filter((it) => !it.kind.startsWith('ValidatingAdmissionPolicy')),
        {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'ClusterRoleBinding',
          metadata: { name: USER },
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: ROLE },
          subjects: [{ kind: 'User', name: USER, apiGroup: 'rbac.authorization.k8s.io' }],
        },
      ]);
      role = new GrantedRole(server, MANIFEST, ROLE, USER);
    }, 180_000);
    afterAll(() => bed?.stop());

    const guard = async (command: string, ...args: string[]): Promise<string> => {
      const to = ['--kubernetes', kubeconfig, ...args];
      const { stdout, stderr } = await steward(['guard', command, ...to]);
      return stdout + stderr;
    };

    const all = POLICIES.map((it) => it.id);
    /** Every command that writes or reads guards, one after another. Gives what they said. */
    const inTurn = async (): Promise<string> => {
      const said = [await guard('install', ...all, '--yes', '--ovn-nb', northbound.remote)];
      said.push(await guard('status'));
      said.push(await guard('remove', '--yes'));
      return said.join('');
    };

    /** What there is to make right, to free and to lift. */
    const prepare = async (): Promise<void> => {
      await server.apply([
        {
          apiVersion: 'kubeovn.io/v1',
          kind: 'Vpc',
          metadata: { name: 'held', finalizers: [GUARD] },
          spec: {},
        },
        {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'held', namespace: 'default' },
          spec: { schedulingGates: [{ name: GATE }], containers: [{ name: 'main', image: 'x' }] },
        },
      ]);
      await server.api.send('DELETE', '/apis/kubeovn.io/v1/vpcs/held');
    };
    const clear = async (): Promise<void> => {
      await steward(['guard', 'remove', '--yes', '--kubernetes', server.kubeconfig]);
      await server.api
        .send('DELETE', '/api/v1/namespaces/default/pods/held')
        .catch(() => undefined);
    };
    const change = async (): Promise<void> => {
      await steward(['guard', 'install', ...all, '--yes', '--kubernetes', server.kubeconfig]);
      for (const resource of ADMISSION_KINDS) {
        const { items } = (await server.api.get(`${ADMISSION}/${resource}`)) as {
          items: KubernetesObject[];
        };
        for (const { metadata } of items.filter((it) =>
          it.metadata.name.startsWith('ovn-steward-'),
        )) {
          const path = `${ADMISSION}/${resource}/${metadata.name}`;
          const now = (await server.api.get(path)) as { spec: object };
          const spec = resource.endsWith('bindings')
            ? { ...now.spec, matchResources: { objectSelector: { matchLabels: { a: 'b' } } } }
            : { ...now.spec, failurePolicy: 'Ignore' };
          await server.api.send('PUT', path, { ...now, spec });
        }
      }
    };

    /** Used where the API server does not serve Kube-OVN's kinds: guard-rights.int.test.ts. */
    const ELSEWHERE = 'get customresourcedefinitions';
    const RIGHTS = rightsIn(MANIFEST, ROLE).filter((it) => it.name !== ELSEWHERE);

    test.each(RIGHTS)('without the right to $name that is said', async (right) => {
      const { verb, on } = right;
      await clear();
      await prepare();
      if (verb !== 'create') await change();
      await role.revoke(right);
      try {
        expect(await inTurn()).toContain(
          `cannot ${verb} ${on.startsWith('/') ? 'path' : 'resource'} "${on}"`,
        );
      } finally {
        await role.restore(right);
      }
    });

    test('no right of the role was without use so far', async () => {
      await clear();
      await prepare();
      expect(await inTurn()).not.toContain('forbidden');
      expect(RIGHTS.length).toBeGreaterThan(20);
      expect(role.unused()).toEqual([ELSEWHERE]);
    });
  });
});
