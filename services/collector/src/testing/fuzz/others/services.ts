import type { GivenObject } from '@ovn-steward/systems/testing/memory-objects';
import type { Cluster } from '../cluster';
import * as vips from '../kube-ovn/service-vips';
import { dropService, putSlice } from '../kube-ovn/service-objects';

const SERVICES = { web: '10.96.0.10', api: '10.96.0.11' } as const;
const RULE = 'front';

/** Services and a SwitchLBRule come and go, with and without endpoints; an entry is taken. */
export function changeService(cluster: Cluster): void {
  const { random, objects, diary } = cluster;
  const what = random.int(10);
  if (what < 2) return takeEntry(cluster);
  if (what < 4) return toggleRule(cluster);
  const name = random.pick(['web', 'api'] as const);
  const service = objects.get('Service', 'shop', name);
  const slice = objects.get('EndpointSlice', 'shop', `${name}-1`);
  if (!service) {
    cluster.put({
      kind: 'Service',
      metadata: { name, namespace: 'shop' },
      spec: { clusterIP: SERVICES[name], ports: [{ name: 'p', port: 80, protocol: 'TCP' }] },
    });
    diary.push(`Service ${name} made`);
  } else if (!slice || what < 6) {
    putSlice(cluster, 'shop', name, `10.17.0.${203 + random.int(2)}`, 8080);
    diary.push(`Service ${name} has endpoints`);
  } else if (what < 8) {
    cluster.put({ ...slice, endpoints: [] } as unknown as GivenObject);
    diary.push(`Service ${name} has no endpoints`);
  } else {
    dropService(cluster, service);
  }
}

function toggleRule(cluster: Cluster): void {
  const { objects, diary } = cluster;
  const known = objects.get('SwitchLBRule', undefined, RULE);
  const service = objects.get('Service', 'shop', `slr-${RULE}`);
  // One that its rule left is deleted by hand, now and then also that of a rule that is there.
  if (service && cluster.random.chance(known ? 0.2 : 0.6)) return dropService(cluster, service);
  if (known) objects.remove('SwitchLBRule', undefined, RULE);
  else
    cluster.put({
      kind: 'SwitchLBRule',
      metadata: { name: RULE },
      spec: {
        vip: '10.96.9.9',
        namespace: 'shop',
        endpoints: ['10.17.0.205'],
        ports: [{ name: 'p', port: 80, targetPort: 8080, protocol: 'TCP' }],
      },
    });
  diary.push(`SwitchLBRule ${RULE} ${known ? 'deleted' : 'made'}`);
}

/** An address is taken out of the balancer by mistake, without what belongs to it. */
function takeEntry(cluster: Cluster): void {
  const balancer = vips.balancer(cluster);
  const entry = balancer && cluster.random.maybe(balancer.vips);
  if (entry) vips.dropVip(cluster, balancer, entry[0]);
}
