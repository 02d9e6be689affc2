import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWith, kubernetes } from '@ovn-steward/testbed/fixture';
import type { KubernetesObject as BedObject } from '@ovn-steward/testbed/kubernetes/objects';
import { apiVersionOf, kubernetesKind } from '@ovn-steward/shared/kinds';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import { parseAllDocuments } from 'yaml';
import { COMMENT, signal } from '../testing/action-cases';
import { type ActionCluster, emptyNorthbound } from '../testing/action-cluster';
import { actionCaseOf, OBJECT_ACTIONS } from '../testing/planted';
import { callOff } from '../work/call-off';
import { REMADE_KINDS } from '../action-kit/remade';
import { type RealKubernetes, realKubernetes } from '@ovn-steward/systems/testing/real-kubernetes';
import { describeKubernetesAction } from './kubernetes-action.contract';

const ACCOUNT = {
  name: 'system:serviceaccount:ovn-steward:ovn-steward-executor',
  token: 'token-of-the-executor',
};
const deployed = (name: string): readonly BedObject[] =>
  parseAllDocuments(readFileSync(join(__dirname, '../../../../deploy', name), 'utf8')).map(
    (it) => it.toJS() as BedObject,
  );
/** What no rule proposes has no right by default: who wants it all the same grants this. */
const UNPROPOSED: readonly BedObject[] = [
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'unproposed' },
    rules: OBJECT_ACTIONS.filter((it) => it.unproposed !== undefined).map(({ verb, kinds }) => ({
      apiGroups: kinds.map((it) => kubernetesKind(it)!.group),
      resources: kinds.map((it) => kubernetesKind(it)!.resource),
      verbs: [verb],
    })),
  } as unknown as BedObject,
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'unproposed' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'unproposed' },
    subjects: [{ kind: 'User', name: ACCOUNT.name, apiGroup: 'rbac.authorization.k8s.io' }],
  } as unknown as BedObject,
];
/** Its roles that change something. */
const CHANGING = ['ovn-steward-executor', 'ovn-steward-pods', 'ovn-steward-pods-restart'];

/** `verb group/resource` of each right of a role. */
const rightsOf = (roles: readonly BedObject[]): string[] =>
  roles
    .filter((it) => it.kind === 'ClusterRole' && CHANGING.includes(it.metadata.name))
    .flatMap(
      (role) =>
        (
          role as unknown as {
            rules: { apiGroups: string[]; resources: string[]; verbs: string[] }[];
          }
        ).rules,
    )
    .flatMap(({ apiGroups: [group], resources, verbs }) =>
      resources.flatMap((resource) => verbs.map((verb) => `${verb} ${group}/${resource}`)),
    );

interface Audited {
  readonly verb: string;
  readonly user: { readonly username: string };
  readonly responseStatus?: { readonly code?: number };
  readonly objectRef?: {
    readonly apiGroup?: string;
    readonly resource: string;
    readonly subresource?: string;
  };
}

/** Somebody with the role of deploy/rbac.yaml alone. */
const PLAIN = { name: 'plain', token: 'token-of-plain' };
const boundTo = (role: string, user: string): BedObject =>
  ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: `${role}-of-${user}` },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [{ kind: 'User', name: user, apiGroup: 'rbac.authorization.k8s.io' }],
  }) as unknown as BedObject;

describeWith(
  kubernetes,
  'on kube-apiserver, as the account of deploy/rbac.yaml and deploy/rbac-pods.yaml',
  () => {
    let real: RealKubernetes;
    let cluster: ActionCluster;
    beforeAll(async () => {
      real = await realKubernetes([ACCOUNT, PLAIN]);
      await real.server.apply([
        ...deployed('rbac.yaml'),
        ...deployed('rbac-pods.yaml'),
        ...UNPROPOSED,
        boundTo('ovn-steward-executor', PLAIN.name),
      ]);
      const executor = real.by(ACCOUNT.token);
      cluster = {
        kubernetes: executor,
        others: real.kubernetes,
        put: (it) => real.put(it),
        losing: (what) => real.losing(what),
        northbound: await emptyNorthbound(),
      };
      await waitFor(
        () =>
          executor.count('IP', signal).then(
            () => true,
            () => false,
          ),
        { what: 'the account to have its roles', timeoutMs: 10_000 },
      );
    }, 180_000);
    afterAll(() => real?.stop());

    for (const each of OBJECT_ACTIONS)
      describeKubernetesAction(() => cluster, each, actionCaseOf(each.id));

    test('it may write an Event about an object, and change nothing else', async () => {
      const { kubernetes: executor } = cluster;
      const subnet = await cluster.put({
        apiVersion: 'kubeovn.io/v1',
        kind: 'Subnet',
        metadata: { name: 'untouched' },
        spec: {},
      });
      const version = {
        kind: 'Subnet',
        name: 'untouched',
        uid: subnet.metadata.uid,
        resourceVersion: subnet.metadata.resourceVersion,
      };
      expect(
        await executor.writeEvent(
          {
            regarding: version,
            type: 'Normal',
            reason: 'Refused',
            action: 'None',
            note: COMMENT.rule,
          },
          signal,
        ),
      ).toBe(true);
      const forbidden = { is: 'refused', why: 'forbidden' };
      expect(await executor.delete(version, signal)).toMatchObject(forbidden);
      const group = await cluster.put({
        apiVersion: 'kubeovn.io/v1',
        kind: 'SecurityGroup',
        metadata: { name: 'untouched' },
        spec: {},
      });
      const ofGroup = {
        kind: 'SecurityGroup',
        name: 'untouched',
        uid: group.metadata.uid,
        resourceVersion: group.metadata.resourceVersion,
      };
      expect(
        await executor.patch(ofGroup, [{ op: 'add', path: '/metadata/labels', value: {} }], signal),
      ).toMatchObject(forbidden);
      for (const kind of ['SecurityGroup', 'Vlan', 'ProviderNetwork'])
        expect(
          await executor.create(
            kind,
            { apiVersion: 'kubeovn.io/v1', kind, metadata: { name: 'made' } },
            signal,
          ),
        ).toMatchObject(forbidden);
      const pod = {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'made', namespace: 'default' },
        spec: { containers: [{ name: 'main', image: 'example.com/main' }] },
      };
      expect(await executor.create('Pod', pod, signal)).toMatchObject(forbidden);
      const {
        metadata: { uid, resourceVersion },
      } = await cluster.put(pod);
      expect(
        await executor.delete(
          { kind: 'Pod', namespace: 'default', name: 'made', uid, resourceVersion },
          signal,
        ),
      ).toMatchObject(forbidden);
      expect(await cluster.others.get('Subnet', undefined, 'untouched', signal)).toEqual(subnet);
    });

    test('without the roles for pods it says what it may not, and no pod is changed', async () => {
      const plain = real.by(PLAIN.token);
      const pod = await cluster.put({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'kept', namespace: 'default' },
        spec: { containers: [{ name: 'main', image: 'example.com/main' }] },
      });
      const { uid, resourceVersion } = pod.metadata;
      const version = { kind: 'Pod', namespace: 'default', name: 'kept', uid, resourceVersion };
      const forbidden = { is: 'refused', why: 'forbidden' };
      expect(await plain.evict(version, signal)).toMatchObject({
        ...forbidden,
        message: expect.stringContaining('cannot create resource "pods/eviction"'),
      });
      expect(
        await plain.patch(version, [{ op: 'add', path: '/metadata/labels', value: {} }], signal),
      ).toMatchObject({
        ...forbidden,
        message: expect.stringContaining('cannot patch resource "pods"'),
      });
      expect(await cluster.others.get('Pod', 'default', 'kept', signal)).toEqual(pod);
    });

    test('every right it has was used by what is done with it, and nothing was refused for want of one', async () => {
      const { kubernetes: executor } = cluster;
      const calledOff = OBJECT_ACTIONS.flatMap((it) => it.kinds).filter((it) => it !== 'Pod');
      for (const kind of new Set(calledOff)) {
        const { metadata } = await cluster.put({
          apiVersion: apiVersionOf(kubernetesKind(kind)!),
          kind,
          metadata: {
            name: 'called-off',
            ...(kubernetesKind(kind)!.namespaced && { namespace: 'default' }),
          },
          spec: {},
        });
        const { namespace, name, uid } = metadata;
        await callOff(
          { source: 'kubernetes', kind, name, uid, ...(namespace !== undefined && { namespace }) },
          executor,
          async () => undefined,
          signal,
        );
      }
      for (const kind of REMADE_KINDS)
        expect(
          await executor.create(
            kind,
            { apiVersion: 'kubeovn.io/v1', kind, metadata: { name: 'made-again' }, spec: {} },
            signal,
          ),
        ).toMatchObject({ is: 'created' });
      const used = new Set(
        readFileSync(real.server.auditLog!, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as Audited)
          .filter((it) => it.user.username === ACCOUNT.name && (it.responseStatus?.code ?? 0) < 300)
          .map(({ verb, objectRef: { apiGroup = '', resource, subresource } = { resource: '' } }) =>
            [`${verb} ${apiGroup}/${resource}`, ...(subresource ? [subresource] : [])].join('/'),
          ),
      );
      const granted = rightsOf([...deployed('rbac.yaml'), ...deployed('rbac-pods.yaml')]);
      expect(granted.length).toBeGreaterThan(20);
      expect(granted.filter((it) => !used.has(it))).toEqual([]);
    });
  },
);
