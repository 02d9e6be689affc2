import { describeWith, kubernetes } from '@ovn-steward/testbed/fixture';
import type { KubernetesObject as BedObject } from '@ovn-steward/testbed/kubernetes/objects';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import { type PolicyBed, startPolicyBed } from '../testing/policy-bed';

const PATH = '/apis/kubeovn.io/v1/vpcs';

describeWith(kubernetes, 'on kube-apiserver', () => {
  let bed: PolicyBed;
  beforeAll(async () => {
    bed = await startPolicyBed('vpc-with-subnets');
    await vpc('canary', { subnets: ['one'] });
    await bed.untilRefused('DELETE', `${PATH}/canary`);
  }, 180_000);
  afterAll(() => bed?.stop());

  const vpc = (name: string, status?: unknown, labels: Readonly<Record<string, string>> = {}) =>
    bed.put({
      apiVersion: 'kubeovn.io/v1',
      kind: 'Vpc',
      metadata: { name, labels },
      spec: {},
      ...(status !== undefined && { status }),
    });
  const refusal = (name: string) => bed.refusal('DELETE', `${PATH}/${name}`);

  test('a Vpc with subnets is not deleted, and each is named once', async () => {
    await vpc('tenant', { default: false, subnets: ['web', 'db', 'web'] });
    expect(await refusal('tenant')).toContain(
      'denied request: Vpc tenant still has subnets: web, db. Delete them first.',
    );
    await expect(bed.server.api.send('DELETE', `${PATH}/tenant`)).rejects.toThrow('403');
    expect(
      await bed.kubernetes.get('Vpc', undefined, 'tenant', new AbortController().signal),
    ).toMatchObject({ metadata: { name: 'tenant' } });
  });

  test('of many, the first are named', async () => {
    await vpc('large', { subnets: Array.from({ length: 200 }, (_, i) => `s${i}`) });
    expect(await refusal('large')).toMatch(/still has subnets: s0, s1, .*, s31 and more\. Delete/);
  });

  test.each([
    ['no status', undefined],
    ['no list', { default: false }],
    ['an empty list', { subnets: [] }],
    ['null for a list', { subnets: null }],
  ])('a Vpc with %s goes', async (_, status) => {
    await vpc('empty', status);
    expect(await refusal('empty')).toBeUndefined();
  });

  test('what cannot be judged is refused', async () => {
    await vpc('odd', { subnets: 7 });
    expect(await refusal('odd')).toContain('vpc-with-subnets');
  });

  test('each Vpc is judged by itself when all are deleted at once', async () => {
    const there = async (): Promise<string[]> =>
      (await bed.kubernetes.list('Vpc', undefined, new AbortController().signal)).flatMap(
        ({ metadata: { name, labels } }) =>
          (labels as Record<string, string> | undefined)?.['together'] ? [name] : [],
      );
    await vpc('a-goes', { subnets: [] }, { together: 'yes' });
    await vpc('b-stays', { subnets: ['web'] }, { together: 'yes' });
    // One after the other by their names, until one is refused.
    await expect(
      bed.server.api.send('DELETE', `${PATH}?labelSelector=together%3Dyes`),
    ).rejects.toThrow('Vpc b-stays still has subnets: web');
    expect(await there()).toEqual(['b-stays']);
    await expect(bed.server.api.send('DELETE', PATH)).rejects.toThrow('still has subnets');
    expect(await there()).toEqual(['b-stays']);
    await vpc('b-stays', { subnets: [] }, { together: 'yes' });
    await bed.server.api.send('DELETE', `${PATH}?labelSelector=together%3Dyes`);
    expect(await there()).toEqual([]);
  });

  test('the default VPC and mirrors of others’ routers are none of its business', async () => {
    await vpc('ovn-cluster', { default: true, subnets: ['ovn-default', 'join'] });
    await vpc('neutron-edge', { subnets: ['lan'] }, { 'ovn.kubernetes.io/vpc_external': 'true' });
    await vpc('tenant-2', { subnets: ['lan'] }, { 'ovn.kubernetes.io/vpc_external': 'false' });
    expect(await refusal('ovn-cluster')).toBeUndefined();
    expect(await refusal('neutron-edge')).toBeUndefined();
    expect(await refusal('tenant-2')).toContain('still has subnets: lan');
  });

  test('changes of a Vpc are not evaluated', async () => {
    const made = await vpc('changed', { subnets: ['web'] });
    expect(
      await bed.refusal('PUT', `${PATH}/changed`, { ...made, spec: { namespaces: ['shop'] } }),
    ).toBeUndefined();
  });

  test('a definition that types the status, as a part of the object, changes nothing', async () => {
    const status = {
      type: 'object',
      properties: {
        default: { type: 'boolean' },
        standby: { type: 'boolean' },
        subnets: { type: 'array', items: { type: 'string' } },
      },
    };
    const schema = {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          status,
        },
      },
    };
    const definition = (await bed.server.api.get(
      '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/vpcs.kubeovn.io',
    )) as BedObject & { spec: { versions: object[] } };
    await bed.server.api.send(
      'PUT',
      '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/vpcs.kubeovn.io',
      {
        ...definition,
        spec: {
          ...definition.spec,
          versions: [{ name: 'v1', served: true, storage: true, schema }],
        },
      },
    );
    await waitFor(
      async () => {
        await vpc('typed', { default: false, standby: true, subnets: ['web', 'web', 'db'] });
        return (await refusal('typed'))?.includes(
          'Vpc typed still has subnets: web, db. Delete them first.',
        );
      },
      { what: 'the new definition to be in force', timeoutMs: 30_000 },
    );
    await vpc('typed', { default: false, standby: true, subnets: [] });
    expect(await refusal('typed')).toBeUndefined();
    await vpc('typed', { default: true, subnets: ['web'] });
    expect(await refusal('typed')).toBeUndefined();
  });
});
