import type { Cluster } from '../cluster';
import { putVlan, VLAN } from '../create-external';
import { putTag } from '../kube-ovn/uplinks';

const TAGS = [0, 100, 200] as const;

/** The Vlan of the external network gets another tag, goes or comes back; or the uplink's is changed. */
export function changeVlan(cluster: Cluster): void {
  const { random, objects, diary } = cluster;
  if (random.chance(0.3)) return putTag(cluster, random.pick(TAGS));
  if (objects.get('Vlan', undefined, VLAN) && random.chance(0.3)) {
    objects.remove('Vlan', undefined, VLAN);
    diary.push(`Vlan ${VLAN} deleted`);
    return;
  }
  const tag = random.pick(TAGS);
  putVlan(cluster, tag);
  diary.push(`Vlan ${VLAN} has tag ${tag}`);
}
