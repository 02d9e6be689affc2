import { annotations, metadata, templateMetadata } from './metadata';

const kept = (key: string): boolean => Object.keys(annotations({ [key]: 'x' }) as object).length === 1;

describe('metadata', () => {
  it.each([
    'ovn.kubernetes.io/ip_address', 'data-net.shop.ovn.kubernetes.io/allocated', 'k8s.v1.cni.cncf.io/networks', 'v1.multus-cni.io/default-network',
    'kubevirt.io/domain', 'ovn-steward.dev/protect',
  ])('keeps the annotation %s', (key) => expect(kept(key)).toBe(true));

  it.each(['kubectl.kubernetes.io/last-applied-configuration', 'kubernetes.io/peer-advertise-address', 'vault.hashicorp.com/agent-inject', 'ovn-steward.devil/x', 'ovn-steward.dev/called-off', '__proto__'])(
    'drops the annotation %s', (key) => expect(kept(key)).toBe(false),
  );

  it('drops managedFields, generation and a template’s null time', () => {
    expect(metadata({ name: 'a', uid: 'u', generation: 3, managedFields: [{}], finalizers: ['f'], labels: { l: '' } })).toEqual({ name: 'a', uid: 'u', finalizers: ['f'], labels: { l: '' } });
    expect(templateMetadata({ creationTimestamp: null, labels: { a: 'b' } })).toEqual({ labels: { a: 'b' } });
  });
});
