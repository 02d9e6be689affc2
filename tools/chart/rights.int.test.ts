import { describeWith, helm } from '@ovn-steward/testbed/fixture';
import { textOf } from '../images/repository';
import { type ChartObject, objectsIn, podsOf, rendered } from './rendered';
import { EVENTS, KAFKA } from './value-sets';

const RIGHTS = ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding', 'ServiceAccount'];
const POLICIES = ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'];

/** What of an object is a right: all but labels, and whether a token is mounted unasked. */
const rightOf = ({
  metadata: { name, namespace },
  kind,
  rules,
  roleRef,
  subjects,
  spec,
}: ChartObject): object => ({
  kind,
  name,
  ...(namespace !== undefined && { namespace }),
  ...(rules && { rules }),
  ...(roleRef && { roleRef }),
  ...(subjects && { subjects }),
  ...(spec && { spec }),
});
const keyOf = ({ kind, metadata }: ChartObject): string => `${kind} ${metadata.name}`;
const rightsIn = (objects: readonly ChartObject[]): Record<string, object> =>
  Object.fromEntries(
    objects
      .filter(({ kind }) => [...RIGHTS, ...POLICIES].includes(kind))
      .map((it) => [keyOf(it), rightOf(it)]),
  );

const DEPLOYED = rightsIn(
  [
    'deploy/rbac.yaml',
    'deploy/rbac-guard.yaml',
    'deploy/rbac-pods.yaml',
    'deploy/rbac-access.yaml',
    'deploy/rbac-notifier.yaml',
  ].flatMap((it) => [...objectsIn(textOf(it))]),
);
/** An account the manifests do not have, since the analyzer needs no right. */
const ANALYZER = {
  'ServiceAccount ovn-steward-analyzer': {
    kind: 'ServiceAccount',
    name: 'ovn-steward-analyzer',
    namespace: 'ovn-steward',
  },
};
const SIGNING = { signing: { secretName: 'key', trustedKeysConfigMap: 'trusted' } } as const;
const EVERYTHING = {
  ...KAFKA,
  ...SIGNING,
  settings: {
    ...KAFKA.settings,
    ...EVENTS.settings,
    executor: { mode: 'enforce', guard: { vpcFinalizer: true } },
    http: { auth: { by: 'kubernetes' } },
  },
  http: { tlsSecret: 'https' },
  rights: { pods: true },
  guard: { vpcs: true, pods: true },
};

describeWith(helm, 'the rights of the chart', () => {
  test('with everything switched on are those of deploy/rbac*.yaml, and no more', () => {
    expect(rightsIn(rendered(EVERYTHING))).toEqual({ ...DEPLOYED, ...ANALYZER });
  });

  const changing = (values: object): readonly string[] =>
    rendered(values)
      .filter(({ kind }) => ['ClusterRole', 'Role'].includes(kind))
      .filter(({ rules }) =>
        (rules as { verbs: string[] }[]).some(({ verbs }) =>
          verbs.some((it) => !['get', 'list', 'watch'].includes(it)),
        ),
      )
      .map(keyOf);
  const subjectsOf = (values: object): readonly string[] => [
    ...new Set(rendered(values).flatMap(({ subjects }) => (subjects ?? []).map((it) => it.name))),
  ];

  test.each<[string, object, string[], string[]]>([
    ['by default read, and nothing else', {}, [], ['ovn-steward']],
    ['in mode kafka write a Lease', KAFKA, ['Role ovn-steward-lease'], ['ovn-steward']],
    [
      'of an embedded executor that acts are those of its account alone',
      { settings: { executor: { rules: { 'leaked-ip': 'enforce' } } } },
      ['ClusterRole ovn-steward-executor'],
      ['ovn-steward-executor'],
    ],
    [
      'come without a mode where people apply plans',
      { rights: { executor: 'always' } },
      ['ClusterRole ovn-steward-executor'],
      ['ovn-steward-executor'],
    ],
    [
      'stay those for reading where every rule only observes',
      { settings: { executor: { mode: 'observe', rules: { 'leaked-ip': 'observe' } } } },
      [],
      ['ovn-steward'],
    ],
    [
      'with a login are to ask who somebody is and what he may do',
      { settings: { http: { auth: { by: 'kubernetes' } } }, http: { tlsSecret: 'https' } },
      [
        'ClusterRole ovn-steward-access',
        'ClusterRole ovn-steward-approver',
        'ClusterRole ovn-steward-admin',
      ],
      ['ovn-steward'],
    ],
    [
      'of the guard are its own',
      { guard: { vpcs: true } },
      ['ClusterRole ovn-steward-guard', 'ClusterRole ovn-steward-guard-install'],
      ['ovn-steward', 'ovn-steward-guard'],
    ],
  ])('%s', (_, values, roles, accounts) => {
    expect(changing(values)).toEqual(roles);
    expect([...subjectsOf(values)].sort()).toEqual(accounts);
  });

  test.each([
    ['embedded', EVENTS, 'ovn-steward'],
    [
      'kafka',
      { ...KAFKA, settings: { ...KAFKA.settings, ...EVENTS.settings } },
      'ovn-steward-notifier',
    ],
  ])('to write Events are those of deploy/rbac-notifier.yaml, in mode %s', (_, values, account) => {
    const objects = rendered(values);
    const manifest = rightsIn(objectsIn(textOf('deploy/rbac-notifier.yaml')));
    const role = 'ClusterRole ovn-steward-notifier';
    const binding = 'ClusterRoleBinding ovn-steward-notifier';
    const rights = rightsIn(objects);
    expect(rights[role]).toEqual(manifest[role]);
    expect(rights[binding]).toEqual({
      ...manifest[binding],
      subjects: [{ kind: 'ServiceAccount', name: account, namespace: 'ovn-steward' }],
    });
    const pod = [...podsOf(objects).values()].find((it) => it.serviceAccountName === account)!;
    expect(pod.automountServiceAccountToken).toBe(true);
    expect(rightsIn(rendered(KAFKA))[role]).toBeUndefined();
  });

  test('each rendered right is one of deploy/rbac*.yaml, whatever is switched on', () => {
    for (const values of [
      {},
      KAFKA,
      { settings: { executor: { mode: 'propose' } } },
      { guard: { vpcs: true, pods: true }, rights: { pods: true } },
    ])
      for (const [key, right] of Object.entries(rightsIn(rendered(values)))) {
        if (key in ANALYZER) continue;
        const { subjects: allowed, ...rest } = DEPLOYED[key] as { subjects?: object[] };
        const { subjects: given, ...same } = right as { subjects?: object[] };
        expect({ key, ...same }).toEqual({ key, ...rest });
        for (const it of given ?? []) expect(allowed).toContainEqual(it);
      }
  });

  test('no token where none is needed, and an account for each pod', () => {
    const tokens = (values: object): Record<string, boolean> =>
      Object.fromEntries(
        [...podsOf(rendered(values))].map(([name, it]) => [name, it.automountServiceAccountToken]),
      );
    expect(tokens({})).toEqual({ 'ovn-steward': true, 'ovn-steward-test': false });
    expect(tokens(KAFKA)).toEqual({
      'ovn-steward-collector': true,
      'ovn-steward-analyzer': false,
      'ovn-steward-executor': false,
      'ovn-steward-test': false,
    });
    expect(tokens(EVERYTHING)).toMatchObject({
      'ovn-steward-executor': true,
      'ovn-steward-guard': true,
      'ovn-steward-analyzer': true, // asks who somebody is
    });
    const objects = rendered(EVERYTHING);
    const accounts = objects
      .filter(({ kind }) => kind === 'ServiceAccount')
      .map(({ metadata, automountServiceAccountToken }) => {
        expect(automountServiceAccountToken).toBe(false);
        return metadata.name;
      });
    expect(
      [...podsOf(objects).values()]
        .map((it) => it.serviceAccountName)
        .filter((it) => it !== 'default')
        .sort(),
    ).toEqual(accounts.sort());
  });

  test('under another name and namespace lead to the accounts there, the policy’s too', () => {
    const objects = rendered({ ...EVERYTHING, fullnameOverride: 'net' }, 'tools');
    for (const { subjects } of objects)
      for (const it of subjects ?? []) expect(it).toMatchObject({ namespace: 'tools' });
    const policy = objects.find(({ kind }) => kind === POLICIES[0])!;
    expect(policy.metadata.name).toBe('net-own-pod-patches');
    expect(JSON.stringify(policy)).toContain('system:serviceaccount:tools:net-executor');
    expect(JSON.stringify(objects)).not.toContain('ovn-steward:ovn-steward-');
  });
});
