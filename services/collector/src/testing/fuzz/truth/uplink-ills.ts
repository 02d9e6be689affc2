import type { Cluster } from '../cluster';
import { EXTERNAL } from '../create-external';
import { tagOf, wantedTag } from '../kube-ovn/uplinks';
import type { Ill } from './ill';

/** What is wrong with the external network's uplink. */
export function* uplinkIlls(cluster: Cluster): Generator<Ill> {
  const subnet = cluster.objects.get('Subnet', undefined, EXTERNAL);
  if (!subnet) return;
  const { uid } = subnet.metadata;
  const tag = tagOf(cluster);
  const wanted = wantedTag(cluster);
  if (wanted === undefined)
    yield { rule: 'vlan-of-subnet-missing', uid, what: 'the Vlan is gone', expected: 'must' };
  else if (tag !== wanted)
    yield { rule: 'localnet-tag-wrong', uid, what: `tag ${tag}, not ${wanted}`, expected: 'must' };
}
