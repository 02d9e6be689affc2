import { describeWith, kubernetes } from '@ovn-steward/testbed/fixture';
import { type PolicyBed, startPolicyBed } from '../testing/policy-bed';

const PATH = '/apis/kubeovn.io/v1/vpcs';
const KUBE_OVN = 'system:serviceaccount:kube-system:ovn';
const EXTERNAL = { 'ovn.kubernetes.io/vpc_external': 'true' };

describeWith(kubernetes, 'on kube-apiserver', () => {
  let bed: PolicyBed;
  beforeAll(async () => {
    bed = await startPolicyBed('external-vpc', [
      KUBE_OVN,
      'system:serviceaccount:kube-system:default',
      'somebody:ovn',
      'system:serviceaccount:shop:ovn',
    ]);
    await vpc('canary', EXTERNAL);
    await bed.untilRefused('DELETE', `${PATH}/canary`);
  }, 180_000);
  afterAll(() => bed?.stop());

  const vpc = (name: string, labels?: Readonly<Record<string, string>>) =>
    bed.put({
      apiVersion: 'kubeovn.io/v1',
      kind: 'Vpc',
      metadata: { name, ...(labels && { labels }) },
      spec: {},
      status: { subnets: [] },
    });

  test('the mirror of somebody else’s router is not deleted', async () => {
    await vpc('neutron-edge', EXTERNAL);
    expect(await bed.refusal('DELETE', `${PATH}/neutron-edge`)).toContain(
      'denied request: Vpc neutron-edge mirrors a router that belongs to somebody else',
    );
  });

  test.each([
    ['no labels', undefined],
    ['other labels', { app: 'x' }],
    ['the label set to false', { 'ovn.kubernetes.io/vpc_external': 'false' }],
  ])('a Vpc with %s goes', async (_, labels) => {
    await vpc('own', labels);
    expect(await bed.refusal('DELETE', `${PATH}/own`)).toBeUndefined();
  });

  test('Kube-OVN itself may, and no other service account', async () => {
    await vpc('gone-router', EXTERNAL);
    expect(await bed.refusal('DELETE', `${PATH}/gone-router`, undefined, KUBE_OVN)).toBeUndefined();
    expect(
      await bed.refusal(
        'DELETE',
        `${PATH}/gone-router`,
        undefined,
        'system:serviceaccount:kube-system:default',
      ),
    ).toContain('mirrors a router');
    for (const other of ['somebody:ovn', 'system:serviceaccount:shop:ovn'])
      expect(await bed.refusal('DELETE', `${PATH}/gone-router`, undefined, other)).toContain(
        'mirrors a router',
      );
  });
});
