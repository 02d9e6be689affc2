import { kubernetesObject } from './metadata';
import { mapping, record, text, type Shape } from './shape';

/** The settings Kube-OVN reads from ConfigMaps (kube-ovn.md §0.1), and of each the keys we may show. */
const SETTINGS: ReadonlyMap<unknown, Shape> = new Map(
  Object.entries({
    'ovn-external-gw-config': [
      'enable-external-gw',
      'type',
      'external-gw-nodes',
      'external-gw-nic',
      'external-gw-addr',
      'external-gw-switch',
      'nic-ip',
      'nic-mac',
    ],
    'ovn-vpc-nat-gw-config': ['enable-vpc-nat-gw'],
    'ovn-vpc-nat-config': ['image'],
    'vpc-dns-config': [
      'enable-vpc-dns',
      'coredns-vip',
      'nad-name',
      'nad-provider',
      'k8s-service-host',
      'k8s-service-port',
    ],
    'ovn-ic-config': [
      'enable-ic',
      'az-name',
      'ic-db-host',
      'ic-nb-port',
      'ic-sb-port',
      'gw-nodes',
      'auto-route',
    ],
  }).map(([name, keys]) => [name, record(Object.fromEntries(keys.map((key) => [key, text])))]),
);

const named = kubernetesObject({});

/** Every ConfigMap by its metadata; the data only of Kube-OVN's own, and of these only what is known to hold no secret. */
export const configMap: Shape = (value) => {
  const kept = mapping(named(value));
  const settings = SETTINGS.get(mapping(kept['metadata'])['name']);
  if (settings === undefined) return kept;
  const data = mapping(value)['data'];
  return data === undefined || data === null
    ? kept
    : { ...kept, ...mapping(record({ data: settings })(value)) };
};
