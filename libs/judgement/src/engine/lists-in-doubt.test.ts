import { createEngine } from '../create-engine';
import { type Rule, type Verdict, violation } from '../rule-kit/rule';
import { KindBits } from '../rule-kit/declared-kinds';
import { View } from '../rule-kit/view';
import { RULES } from '../rules/registry';
import { type Built, logicalSwitch, object, pairedNode, port, row } from '../testing/builders';
import { History } from '../testing/history';
import { heldJudgement } from './judge';
import { absent } from '../rule-kit/facts';
import { NO_GRACE } from '../testing/grace';

const CLASSES = ['garbage', 'leak', 'stuck', 'drift', 'damage', 'misplaced', 'missing'] as const;

/**
 * What a rule of that class makes of a policy that is called absent, where rows were made for it.
 */
function judged(ofClass: Rule['class'], isRecorded: boolean): Verdict {
  const engine = createEngine({ cluster: 'test', grace: NO_GRACE }, isRecorded);
  const history = new History();
  const rows = row('Address_Set', 'allow.in', {
    external_ids: { vendor: 'kube-ovn', np: 'shop/allow/ingress' },
  });
  const subject = port('web-0.shop');
  const all = [...pairedNode(), object('Service', 'default/kubernetes'), rows, subject];
  engine.apply([...history.listNothingMore(), ...all.map((it) => history.put(it))], {
    checked: false,
  });
  const rule = {
    ...RULES.find((it) => it.subject === 'Logical_Switch_Port')!,
    reads: ['NetworkPolicy'],
    consults: [],
    class: ofClass,
    doubt: undefined,
    check: () =>
      violation({
        summary: 'nobody needs it',
        proof: [absent('NetworkPolicy', 'shop/allow')],
      } as never),
  } as unknown as Rule;
  const entity = [...engine.world.entities('Logical_Switch_Port')].find(
    ({ uid }) => uid === subject.uid,
  )!;
  const view = new View(
    engine.world,
    new KindBits(['Logical_Switch_Port', 'NetworkPolicy', 'Pod', 'Node']),
    () => undefined,
    [],
  );
  return heldJudgement(rule, entity, view);
}

test.each(CLASSES.slice(0, 5))(
  'what is %s since others are gone is unknown where their recorded list seems cut',
  (ofClass) =>
    expect(judged(ofClass, true)).toMatchObject({
      is: 'unknown',
      reason: expect.stringMatching(/recorded list of NetworkPolicy does not seem whole/),
    }),
);

test.each(CLASSES.slice(5))('what is %s is reported all the same', (ofClass) =>
  expect(judged(ofClass, true).is).toBe('violation'),
);

test('living systems answer for themselves', () =>
  expect(judged('garbage', false).is).toBe('violation'));

/** Which of the rules' findings a recording gets. */
function found(things: readonly Built[], isRecorded = true): readonly string[] {
  const engine = createEngine({ cluster: 'test', grace: NO_GRACE }, isRecorded);
  const history = new History();
  const all = [...pairedNode(), object('Service', 'default/kubernetes'), ...things];
  engine.apply([...history.listNothingMore(), ...all.map((it) => history.put(it))]);
  return engine.findings().map(({ rule }) => rule);
}

const ofGroup = (name: string): readonly Built[] => [
  object('CustomResourceDefinition', 'security-groups.kubeovn.io'),
  row('Port_Group', `ovn.sg.${name}`, { external_ids: { vendor: 'kube-ovn', sg: name } }),
  logicalSwitch(),
  port('web-0.shop', {
    external_ids: {
      vendor: 'kube-ovn',
      ls: 'apps',
      pod: 'shop/web-0',
      [`associated_sg_${name}`]: 'true',
    },
  }),
];

test('a port is not accused of a group that only the recorded list lacks', () => {
  const rule = 'stale-security-group-key';
  expect(found(ofGroup('web'))).not.toContain(rule);
  expect(found(ofGroup('web'), false)).toContain(rule);
  const a = row('Port_Group', 'ovn.sg.a', { external_ids: { vendor: 'kube-ovn', sg: 'a' } });
  expect(found([...ofGroup('web'), object('SecurityGroup', 'a'), a])).toContain(rule);
});

test('a Subnet without its Vpc is reported of a recording that has others', () => {
  const subnet = object('Subnet', 'apps', { spec: { vpc: 'tenant' } });
  const vpc = object('Vpc', 'ovn-cluster');
  const other = object('Subnet', 'ovn-default', { spec: { vpc: 'ovn-cluster' } });
  expect(found([subnet, other, vpc])).toContain('vpc-of-subnet-missing');
});

test('a Subnet whose Vpc is missed like all others is not reported, but of a living cluster', () => {
  const subnets = ['a', 'b'].map((it) => object('Subnet', it, { spec: { vpc: `of-${it}` } }));
  expect(found(subnets)).not.toContain('vpc-of-subnet-missing');
  expect(found(subnets, false)).toContain('vpc-of-subnet-missing');
});

test('groups that name ClusterNetworkPolicies with dots for dashes are those of the ones there', () => {
  const groups = ['deny.a', 'deny.b', 'deny.c', 'gone'].map((it) =>
    row('Port_Group', it, { external_ids: { vendor: 'kube-ovn', cnp: it } }),
  );
  const policies = ['deny-a', 'deny-b', 'deny-c'].map((it) => object('ClusterNetworkPolicy', it));
  const definition = object(
    'CustomResourceDefinition',
    'clusternetworkpolicies.policy.networking.k8s.io',
  );
  const orphaned = (...there: Built[]) =>
    found([definition, ...groups, ...there]).filter((it) => it === 'orphaned-port-group').length;
  expect(orphaned(...policies)).toBe(1);
  expect(orphaned()).toBe(0);
});
