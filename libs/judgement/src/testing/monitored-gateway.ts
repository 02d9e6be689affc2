import { type Built, object, row } from './builders';

/**
 * A gateway `edge/out` with a BFD session of its own to each of its pods, as Kube-OVN writes them.
 */
export const egressGateway = (
  over: {
    readonly spec?: Record<string, unknown>;
    readonly status?: Record<string, unknown>;
    readonly metadata?: Record<string, unknown>;
  } = {},
): Built<'VpcEgressGateway'> =>
  object('VpcEgressGateway', 'edge/out', {
    spec: { vpc: 'blue', bfd: { enabled: true }, selectors: [{}], ...over.spec },
    status: { ready: true, internalIPs: ['10.60.0.9', '10.60.0.10,fd00::10'], ...over.status },
    metadata: over.metadata ?? {},
  });

export const OF_GATEWAY = { vendor: 'kube-ovn', 'vpc-egress-gateway': 'edge/out', af: '4' };

export const session = (
  uid: string,
  columns: Record<string, unknown> = {},
  ids: Record<string, string> = OF_GATEWAY,
): Built<'BFD'> =>
  row('BFD', '', {
    uid,
    logical_port: 'bfd@blue',
    dst_ip: '10.60.0.9',
    status: 'up',
    external_ids: ids,
    ...columns,
  });

export const policy = (
  uid: string,
  sessions: readonly string[],
  columns: Record<string, unknown> = {},
  ids: Record<string, string> = OF_GATEWAY,
): Built<'Logical_Router_Policy'> =>
  row('Logical_Router_Policy', '', {
    uid,
    priority: 29100,
    action: 'reroute',
    match: 'ip4.src == $VEG.out_ip4',
    nexthops: ['10.60.0.9'],
    bfd_sessions: sessions,
    external_ids: ids,
    ...columns,
  });
