import { annotationNames, annotations, metadata, templateMetadata } from './metadata';

const kept = (key: string): boolean =>
  Object.keys(annotations({ [key]: 'x' }) as object).length === 1;

describe('metadata', () => {
  it.each([
    'ovn.kubernetes.io/ip_address',
    'data-net.shop.ovn.kubernetes.io/allocated',
    'k8s.v1.cni.cncf.io/networks',
    'v1.multus-cni.io/default-network',
    'kubevirt.io/domain',
    'ovn-steward.dev/protect',
  ])('keeps the annotation %s', (key) => expect(kept(key)).toBe(true));

  it.each([
    'kubectl.kubernetes.io/last-applied-configuration',
    'kubernetes.io/peer-advertise-address',
    'vault.hashicorp.com/agent-inject',
    'ovn-steward.devil/x',
    'ovn-steward.dev/called-off',
    '__proto__',
  ])('drops the annotation %s', (key) => expect(kept(key)).toBe(false));

  it('keeps the names of the others, and not what they say, where it is asked to', () => {
    const given = {
      'kubectl.kubernetes.io/last-applied-configuration': 'secret',
      'argocd.argoproj.io/tracking-id': 'secret',
      'ovn.kubernetes.io/x': 'y',
      'ovn-steward.dev/called-off': 'now',
    };
    const kept = annotationNames(given);
    expect(kept).toEqual({
      'kubectl.kubernetes.io/last-applied-configuration': '',
      'argocd.argoproj.io/tracking-id': '',
      'ovn.kubernetes.io/x': 'y',
    });
    expect(annotationNames(kept)).toEqual(kept);
  });

  it('drops managedFields, generation and a template’s null time', () => {
    expect(
      metadata({
        name: 'a',
        uid: 'u',
        generation: 3,
        managedFields: [{}],
        finalizers: ['f'],
        labels: { l: '' },
      }),
    ).toEqual({ name: 'a', uid: 'u', finalizers: ['f'], labels: { l: '' } });
    expect(templateMetadata({ creationTimestamp: null, labels: { a: 'b' } })).toEqual({
      labels: { a: 'b' },
    });
  });
});
