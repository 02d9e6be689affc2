import type { Cluster } from '../cluster';
import { EXTERNAL } from '../create-external';

/**
 * Makes an OvnEip as it is once it is served.
 * @param nth of the addresses from 200 on: 0 to 9.
 */
export function makeEip(cluster: Cluster, name: string, nth: number): void {
  const addresses = { v4Ip: `198.51.100.${200 + nth}`, v6Ip: `2001:db8::20${nth}` };
  cluster.put({
    kind: 'OvnEip',
    metadata: { name },
    spec: { type: 'nat', externalSubnet: EXTERNAL, ...addresses },
    status: { ...addresses, type: 'nat', nat: '', ready: true },
  });
  cluster.diary.push(`OvnEip ${name} made`);
}
