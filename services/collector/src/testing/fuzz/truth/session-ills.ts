import { type Cluster, rowNamed } from '../cluster';
import { isFollowed, isOfGateway } from '../others/sessions';
import type { Ill } from './ill';

/** BFD sessions that steer nothing any more: their port is gone, or the gateway they were made for. */
export function* sessionIlls(cluster: Cluster): Generator<Ill> {
  for (const [uid, row] of cluster.rows('BFD')) {
    if (isFollowed(cluster, uid)) continue;
    const port = String(row['logical_port']);
    const what = `the BFD session to ${String(row['dst_ip'])} on ${port} steers nothing`;
    if (isOfGateway(cluster, uid)) yield { rule: 'orphaned-bfd', uid, what, expected: 'must' };
    else if (!rowNamed(cluster, 'Logical_Router_Port', port))
      yield { rule: 'bfd-session-without-port', uid, what, expected: 'must' };
  }
}
