import { describeWith, kubernetes } from '@ovn-steward/testbed/fixture';
import { type PolicyBed, startPolicyBed } from '../testing/policy-bed';

const LIST = 'ovn.kubernetes.io/logical_switch';
const SPEC = { containers: [{ name: 'main', image: 'example.com/main' }] };

describeWith(kubernetes, 'on kube-apiserver', () => {
  let bed: PolicyBed;
  beforeAll(async () => {
    bed = await startPolicyBed('pod-subnet');
    await namespace('shop', 'apps,data,apps');
    await bed.untilRefused('POST', '/api/v1/namespaces/shop/pods', pod({ [LIST]: 'ovn-default' }));
  }, 180_000);
  afterAll(() => bed?.stop());

  const namespace = (name: string, list?: string, labels: Readonly<Record<string, string>> = {}) =>
    bed.put({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, labels, ...(list !== undefined && { annotations: { [LIST]: list } }) },
    });
  const pod = (annotations: object, labels: object = {}, spec: object = {}) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web-0', annotations, labels },
    spec: { ...SPEC, ...spec },
  });
  const refusal = (place: string, body: object) =>
    bed.refusal('POST', `/api/v1/namespaces/${place}/pods`, body);

  test('a pod that names a subnet of others is refused, with which there are', async () => {
    expect(await refusal('shop', pod({ [LIST]: 'tenant-b' }))).toContain(
      'this pod names subnet tenant-b, and namespace shop is bound to apps, data, apps only',
    );
    expect(await refusal('shop', pod({ [LIST]: 'app' }))).toContain('names subnet app,');
  });

  test.each([
    ['the first', { [LIST]: 'apps' }],
    ['another', { [LIST]: 'data' }],
    ['none', {}],
    ['none, by an empty name', { [LIST]: '' }],
  ])('a pod that names %s of its namespace’s goes through', async (_, annotations) => {
    expect(await refusal('shop', pod(annotations))).toBeUndefined();
  });

  test('what it cannot judge it lets through: a namespace Kube-OVN has not processed, an attached network', async () => {
    await namespace('new');
    expect(await refusal('new', pod({ [LIST]: 'tenant-b' }))).toBeUndefined();
    expect(
      await refusal('shop', pod({ 'net.shop.ovn.kubernetes.io/logical_switch': 'tenant-b' })),
    ).toBeUndefined();
  });

  test('the subnet of the namespace’s label goes through before the namespace is bound to it, and no other does', async () => {
    await namespace('soon', 'ovn-default', { 'ovn-steward.dev/subnet': 'apps' });
    expect(await refusal('soon', pod({ [LIST]: 'apps' }))).toBeUndefined();
    expect(await refusal('soon', pod({ [LIST]: 'tenant-b' }))).toContain(
      'bound to ovn-default only',
    );
  });

  test('let through: hostNetwork, gateways of Kube-OVN, system namespaces, namespaces that say so', async () => {
    const foreign = { [LIST]: 'tenant-b' };
    await namespace('free', 'apps', { 'ovn-steward.dev/any-subnet': 'yes' });
    await namespace('kube-system', 'ovn-default');
    expect(await refusal('shop', pod(foreign, {}, { hostNetwork: true }))).toBeUndefined();
    expect(
      await refusal('shop', pod(foreign, { 'ovn.kubernetes.io/vpc-nat-gw': 'true' })),
    ).toBeUndefined();
    expect(await refusal('free', pod(foreign))).toBeUndefined();
    expect(await refusal('kube-system', pod(foreign))).toBeUndefined();
  });

  test('what Kube-OVN writes on a pod later is not evaluated', async () => {
    const { metadata } = await bed.put({
      ...pod({}),
      metadata: { name: 'later', namespace: 'shop' },
    } as never);
    const made = (await bed.kubernetes.get('Pod', 'shop', 'later', new AbortController().signal))!;
    const written = {
      ...made,
      metadata: {
        ...made.metadata,
        resourceVersion: metadata.resourceVersion,
        annotations: { [LIST]: 'ovn-default' },
      },
    };
    expect(await bed.refusal('PUT', '/api/v1/namespaces/shop/pods/later', written)).toBeUndefined();
  });
});
