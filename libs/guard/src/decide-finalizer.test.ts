import { VPC_GUARD } from '@ovn-steward/shared/vpc-guard';
import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { decideFinalizer, type VpcSurroundings, type FinalizerChange } from './decide-finalizer';
import { isDefault, subnetsNaming, subnetVpc } from './policy-kit/vpc-of-subnet';

const THEIRS = 'kubeovn.io/kube-ovn-controller';
const EXTERNAL = { 'ovn.kubernetes.io/vpc_external': 'true' };
const GOING = '2026-01-01T00:00:00Z';

interface Case {
  readonly finalizers?: readonly string[];
  readonly going?: boolean;
  readonly labels?: Readonly<Record<string, string>>;
  readonly kept?: boolean;
  readonly around?: Partial<VpcSurroundings>;
}

const decided = ({
  finalizers,
  going = false,
  labels,
  kept = false,
  around = {},
}: Case): FinalizerChange =>
  decideFinalizer(
    {
      kind: 'Vpc',
      metadata: {
        name: 'tenant',
        uid: 'u',
        resourceVersion: '1',
        ...(finalizers && { finalizers }),
        ...(going && { deletionTimestamp: GOING }),
        ...(labels && { labels }),
        ...(kept && { annotations: { 'ovn-steward.dev/protect': 'mine' } }),
      },
    },
    { isDefault: false, subnets: [], ...around },
  );

test.each<[string, FinalizerChange, Case]>([
  ['is added on creation, before any subnet', 'add', {}],
  ['is added beside those of strangers', 'add', { finalizers: ['example.com/other'] }],
  ['is added while the subnets are not known', 'add', { around: { subnets: undefined } }],
  ['is not added twice', 'nothing', { finalizers: [VPC_GUARD] }],
  ['is not added beside Kube-OVN’s', 'nothing', { finalizers: [THEIRS] }],
  ['is not added beside Kube-OVN’s of old', 'nothing', { finalizers: ['kube-ovn-controller'] }],
  ['is not added to the default VPC', 'nothing', { around: { isDefault: true } }],
  ['is not added to a mirror', 'nothing', { labels: EXTERNAL }],
  ['is not added to what a person keeps as it is', 'nothing', { kept: true }],
  [
    'is not added to what is being deleted',
    'nothing',
    { going: true, finalizers: ['example.com/other'] },
  ],
  [
    'stays while it is not being deleted, subnets or not',
    'nothing',
    { finalizers: [VPC_GUARD], around: { subnets: [] } },
  ],
  ['goes when Kube-OVN put its own', 'take-off', { finalizers: [VPC_GUARD, THEIRS] }],
  [
    'goes when Kube-OVN put its own, also at the end',
    'take-off',
    { going: true, finalizers: [THEIRS, VPC_GUARD], around: { subnets: ['web'] } },
  ],
  [
    'goes from what turned out to be the default VPC',
    'take-off',
    { finalizers: [VPC_GUARD], around: { isDefault: true } },
  ],
  [
    'goes from what turned out to be a mirror',
    'take-off',
    { finalizers: [VPC_GUARD], labels: EXTERNAL },
  ],
  ['goes at the end, when no subnet is left', 'take-off', { going: true, finalizers: [VPC_GUARD] }],
  [
    'goes at the end, strangers’ staying',
    'take-off',
    { going: true, finalizers: ['example.com/other', VPC_GUARD] },
  ],
  [
    'holds while a subnet names it',
    'nothing',
    { going: true, finalizers: [VPC_GUARD], around: { subnets: ['web'] } },
  ],
  [
    'holds while the subnets are not known',
    'nothing',
    { going: true, finalizers: [VPC_GUARD], around: { subnets: undefined } },
  ],
  [
    'holds a mirror that is being deleted',
    'nothing',
    { going: true, finalizers: [VPC_GUARD], labels: EXTERNAL },
  ],
  [
    'holds the default VPC that is being deleted',
    'nothing',
    { going: true, finalizers: [VPC_GUARD], around: { isDefault: true } },
  ],
  [
    'holds what a person keeps as it is',
    'nothing',
    { going: true, finalizers: [VPC_GUARD], kept: true },
  ],
])('%s', (_, request, given) => expect(decided(given)).toBe(request));

describe('of the words', () => {
  const subnet = (name: string, spec?: unknown) =>
    subnetVpc({
      metadata: { name, uid: name, resourceVersion: '1' },
      ...(spec !== undefined && { spec }),
    });
  const vpc = (name: string, status?: unknown): KubernetesObject => ({
    metadata: { name, uid: name, resourceVersion: '1' },
    ...(status !== undefined && { status }),
  });

  test('a Subnet that does not say where it belongs leaves everything unknown', () => {
    const web = subnet('web', { vpc: 'tenant' });
    const db = subnet('db', { vpc: 'tenant' });
    const mute = subnet('mute');
    expect(subnetsNaming('tenant', [web, db])).toEqual(['db', 'web']);
    expect(subnetsNaming('other', [web, db])).toEqual([]);
    expect(subnetsNaming('other', [web, mute])).toBeUndefined();
    expect(subnetsNaming('other', [web, subnet('odd', { vpc: 7 })])).toBeUndefined();
    expect(subnetsNaming('other', [web, subnet('of-the-default', {})])).toEqual([]);
  });

  test('the default VPC is known by its word, its usual name, and the default subnet', () => {
    expect(isDefault(vpc('ovn-cluster'), [])).toBe(true);
    expect(isDefault(vpc('main', { default: true }), [])).toBe(true);
    expect(isDefault(vpc('main'), [subnet('ovn-default', { vpc: 'main', default: true })])).toBe(
      true,
    );
    expect(
      isDefault(vpc('tenant', { default: false }), [
        subnet('ovn-default', { vpc: 'main', default: true }),
        subnet('web', { vpc: 'tenant' }),
      ]),
    ).toBe(false);
  });
});
