import { describeWith, kubernetes } from '@ovn-steward/testbed/fixture';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import { type PolicyBed, startPolicyBed } from '../testing/policy-bed';
import { GATE, SUBNET_LABEL } from '@ovn-steward/shared/pod-gate';

const LIST = 'ovn.kubernetes.io/logical_switch';
const SPEC = { containers: [{ name: 'main', image: 'example.com/main' }] };

describeWith(kubernetes, 'on kube-apiserver', () => {
  let bed: PolicyBed;
  beforeAll(async () => {
    bed = await startPolicyBed('pod-gate');
    await namespace('unbound', 'ovn-default');
    await waitFor(async () => (await gatesOf('unbound')).length > 0, {
      what: 'the policy to be in force',
      timeoutMs: 30_000,
    });
  }, 180_000);
  afterAll(() => bed?.stop());

  const namespace = (
    name: string,
    list?: string,
    labels: Readonly<Record<string, string>> = { [SUBNET_LABEL]: 'apps' },
  ) =>
    bed.put({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, labels, ...(list !== undefined && { annotations: { [LIST]: list } }) },
    });
  interface Made {
    readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
    readonly spec: { readonly schedulingGates?: readonly { readonly name: string }[] };
  }
  /** A pod as it is created there; nothing is kept of it. */
  const made = async (place: string, metadata: object = {}, spec: object = {}): Promise<Made> =>
    (await bed.server.api.send('POST', `/api/v1/namespaces/${place}/pods?dryRun=All`, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web-0', ...metadata },
      spec: { ...SPEC, ...spec },
    })) as Made;
  const gatesOf = async (...pod: Parameters<typeof made>): Promise<readonly string[]> =>
    ((await made(...pod)).spec.schedulingGates ?? []).map((it) => it.name);

  test.each([
    ['the default subnet', 'ovn-default'],
    ['a subnet whose name begins alike', 'apps2,my-apps'],
    ['nothing yet', undefined],
    ['an empty list', ''],
  ])('a pod is held whose namespace is bound to %s', async (_, list) => {
    await namespace('held', list);
    expect(await gatesOf('held')).toEqual([GATE]);
  });

  test('the subnet is written on a held pod, beside what else stands there, and on no other', async () => {
    expect((await made('unbound', { annotations: { note: 'x' } })).metadata.annotations).toEqual({
      note: 'x',
      [LIST]: 'apps',
    });
    await namespace('bound-already', 'apps');
    expect(
      (await made('bound-already', { annotations: { note: 'x' } })).metadata.annotations,
    ).toEqual({ note: 'x' });
  });

  test('other gates stay, and ours is not put there twice', async () => {
    const there = [{ name: 'x.example.com/y' }];
    expect([...(await gatesOf('unbound', {}, { schedulingGates: there }))].sort()).toEqual([
      GATE,
      'x.example.com/y',
    ]);
    expect(await gatesOf('unbound', {}, { schedulingGates: [{ name: GATE }] })).toEqual([GATE]);
  });

  test.each([
    ['once', 'apps'],
    ['twice', 'apps,apps'],
    ['beside another', 'other,apps'],
  ])('a pod is let through when the list has the subnet %s', async (_, list) => {
    await namespace('bound', list);
    expect(await gatesOf('bound')).toEqual([]);
  });

  test('none of its business: namespaces without the label, hostNetwork, pods with a node, pods that name a subnet', async () => {
    await namespace('plain', 'ovn-default', {});
    expect(await gatesOf('plain')).toEqual([]);
    expect(await gatesOf('unbound', {}, { hostNetwork: true })).toEqual([]);
    expect(await gatesOf('unbound', {}, { nodeName: 'node-1' })).toEqual([]);
    expect(await gatesOf('unbound', { annotations: { [LIST]: 'apps' } })).toEqual([]);
  });

  test('system namespaces and our own are never held, labelled or not', async () => {
    for (const name of ['kube-system', 'ovn-steward']) {
      await namespace(name, undefined);
      expect(await gatesOf(name)).toEqual([]);
    }
  });
});
