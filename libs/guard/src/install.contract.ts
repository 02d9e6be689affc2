import type { Kubernetes } from '@ovn-steward/systems/kubernetes/kubernetes';
import type { StartedKubernetes } from '@ovn-steward/systems/kubernetes/kubernetes.contract';
import { installPolicy, removePolicy } from './install';
import { POLICIES } from './policies/registry';
import { nameInCluster } from './policy-kit/policy';
import { OURS, policyStateOf } from './policy-state';

const signal = new AbortController().signal;
const [FIRST] = POLICIES;
const KIND = FIRST!.needs;
const NAME = nameInCluster(FIRST!.id);

/** What installing and removing policies keeps, in any cluster. */
export function describeInstalling(
  name: string,
  start: () => Promise<Pick<StartedKubernetes, 'kubernetes' | 'put' | 'stop'>>,
): void {
  describe(name, () => {
    let cluster: Awaited<ReturnType<typeof start>>;
    let kubernetes: Kubernetes;
    beforeAll(async () => {
      cluster = await start();
      ({ kubernetes } = cluster);
    }, 180_000);
    afterAll(() => cluster?.stop());
    afterEach(async () => {
      for (const kind of [KIND, `${KIND}Binding`]) {
        for (const object of await kubernetes.list(kind, undefined, signal))
          await kubernetes.delete(
            {
              kind,
              name: object.metadata.name,
              uid: object.metadata.uid,
              resourceVersion: object.metadata.resourceVersion,
            },
            signal,
          );
      }
    });

    const stateOfFirst = () => policyStateOf(FIRST!, kubernetes, signal);
    const versions = () =>
      [KIND, `${KIND}Binding`].map((kind) =>
        kubernetes.get(kind, undefined, NAME, signal).then((it) => it?.metadata.resourceVersion),
      );

    test.each(POLICIES)('$id: absent, installed, installed again, removed', async (policy) => {
      const now = () => policyStateOf(policy, kubernetes, signal);
      expect((await now()).is).toBe('absent');
      await installPolicy(await now(), kubernetes, signal);
      expect((await now()).is).toBe('installed');
      const before = await Promise.all(versions());
      await installPolicy(await now(), kubernetes, signal);
      expect(await Promise.all(versions())).toEqual(before);
      await removePolicy(await now(), kubernetes, signal);
      expect((await now()).is).toBe('absent');
      await removePolicy(await now(), kubernetes, signal);
    });

    test('what somebody changed is seen, and made right again', async () => {
      await installPolicy(await stateOfFirst(), kubernetes, signal);
      const { metadata } = (await kubernetes.get(`${KIND}Binding`, undefined, NAME, signal))!;
      await kubernetes.patch(
        {
          kind: `${KIND}Binding`,
          name: NAME,
          uid: metadata.uid,
          resourceVersion: metadata.resourceVersion,
        },
        [{ op: 'replace', path: '/spec/validationActions', value: ['Warn'] }],
        signal,
      );
      expect((await stateOfFirst()).is).toBe('differs');
      await installPolicy(await stateOfFirst(), kubernetes, signal);
      expect((await stateOfFirst()).is).toBe('installed');
    });

    test('what somebody added to narrow it is seen', async () => {
      await installPolicy(await stateOfFirst(), kubernetes, signal);
      const { metadata } = (await kubernetes.get(KIND, undefined, NAME, signal))!;
      await kubernetes.patch(
        { kind: KIND, name: NAME, uid: metadata.uid, resourceVersion: metadata.resourceVersion },
        [
          {
            op: 'add',
            path: '/spec/matchConstraints/excludeResourceRules',
            value: [
              {
                apiGroups: ['kubeovn.io'],
                apiVersions: ['*'],
                operations: ['DELETE'],
                resources: ['vpcs'],
                scope: '*',
              },
            ],
          },
        ],
        signal,
      );
      expect((await stateOfFirst()).is).toBe('differs');
    });

    test('one half of it is not installed', async () => {
      await installPolicy(await stateOfFirst(), kubernetes, signal);
      const { metadata } = (await kubernetes.get(`${KIND}Binding`, undefined, NAME, signal))!;
      await kubernetes.delete(
        {
          kind: `${KIND}Binding`,
          name: NAME,
          uid: metadata.uid,
          resourceVersion: metadata.resourceVersion,
        },
        signal,
      );
      expect((await stateOfFirst()).is).toBe('differs');
      await installPolicy(await stateOfFirst(), kubernetes, signal);
      expect((await stateOfFirst()).is).toBe('installed');
    });

    test('a namesake that is not ours is neither changed nor removed, and nothing is written beside it', async () => {
      const [manifest] = FIRST!.manifests();
      const theirs = await cluster.put({
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: KIND,
        metadata: { name: NAME, labels: { 'app.kubernetes.io/managed-by': 'Helm' } },
        spec: { ...manifest!.spec, failurePolicy: 'Ignore' },
      });
      expect((await stateOfFirst()).is).toBe('foreign');
      await expect(installPolicy(await stateOfFirst(), kubernetes, signal)).rejects.toMatchObject({
        code: 'guard-refused',
      });
      await removePolicy(await stateOfFirst(), kubernetes, signal);
      expect(await kubernetes.get(KIND, undefined, NAME, signal)).toEqual(theirs);
      expect(await kubernetes.get(`${KIND}Binding`, undefined, NAME, signal)).toBeUndefined();
    });

    test('is bound to what was seen: what changed since is refused', async () => {
      await installPolicy(await stateOfFirst(), kubernetes, signal);
      const seen = await stateOfFirst();
      const { metadata } = (await kubernetes.get(KIND, undefined, NAME, signal))!;
      await kubernetes.patch(
        { kind: KIND, name: NAME, uid: metadata.uid, resourceVersion: metadata.resourceVersion },
        [{ op: 'replace', path: '/metadata/labels', value: { ...OURS, touched: 'yes' } }],
        signal,
      );
      await expect(removePolicy(seen, kubernetes, signal)).rejects.toMatchObject({
        code: 'guard-refused',
      });
      expect(await kubernetes.get(KIND, undefined, NAME, signal)).toBeDefined();
    });
  });
}
