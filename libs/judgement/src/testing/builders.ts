import type { Entity, Kind, Objects } from '../world/entity';

/** A row or object for a test, before a world gets it. */
export interface Built<K extends string = string> {
  readonly kind: K;
  readonly uid: string;
  readonly namespace?: string;
  readonly name: string;
  readonly object: Record<string, unknown>;
}

type Overrides = {
  readonly uid?: string;
  readonly metadata?: Record<string, unknown>;
  readonly spec?: Record<string, unknown>;
  readonly status?: Record<string, unknown>;
};

/** Any Kubernetes object by its key (`namespace/name`, or a name for cluster-scoped kinds). */
export function object<K extends Kind>(kind: K, key: string, over: Overrides = {}): Built<K> {
  const slash = key.indexOf('/');
  const [namespace, name] =
    slash < 0 ? [undefined, key] : [key.slice(0, slash), key.slice(slash + 1)];
  const uid = over.uid ?? `${kind}:${key}`;
  const metadata = {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    uid,
    ...over.metadata,
  };
  return {
    kind,
    uid,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    object: {
      metadata,
      ...(over.spec ? { spec: over.spec } : {}),
      ...(over.status ? { status: over.status } : {}),
    },
  };
}

/** Any Northbound row. */
export const row = <K extends Kind>(
  kind: K,
  name: string,
  columns: Partial<Objects[K]> & { uid?: string } = {},
): Built<K> => {
  const { uid = `${kind}:${name}`, ...object } = columns as Record<string, unknown> & {
    uid?: string;
  };
  return { kind, uid, name, object: { ...(name ? { name } : {}), ...object } };
};

/** The tag of Kube-OVN's rows. */
export const VENDOR = { vendor: 'kube-ovn' };

/** A switch of Kube-OVN's, as a Subnet makes it. */
export const logicalSwitch = (
  name = 'apps',
  columns: Partial<Objects['Logical_Switch']> = {},
): Built<'Logical_Switch'> => row('Logical_Switch', name, { external_ids: VENDOR, ...columns });

/** A pod's port on the switch `apps`; columns given replace the defaults. */
export const port = (
  name = 'web-0.shop',
  columns: Partial<Objects['Logical_Switch_Port']> & { uid?: string; ls?: string } = {},
): Built<'Logical_Switch_Port'> => {
  const { ls = 'apps', ...rest } = columns;
  const [pod = '', namespace = ''] = name.split('.');
  return row('Logical_Switch_Port', name, {
    external_ids: { ...VENDOR, ls, pod: `${namespace}/${pod}` },
    addresses: ['0a:00:00:00:00:01 10.17.0.10'],
    _parents: [{ kind: 'Logical_Switch', uid: `Logical_Switch:${ls}`, column: 'ports' }],
    ...rest,
  });
};

/** A running pod on the default network. */
export const pod = (key: string, over: Overrides = {}): Built<'Pod'> =>
  object('Pod', key, {
    spec: { nodeName: 'worker-1', restartPolicy: 'Always' },
    status: { phase: 'Running' },
    ...over,
  });

export const statefulSet = (
  key: string,
  replicas = 3,
  over: Overrides = {},
): Built<'StatefulSet'> => object('StatefulSet', key, { spec: { replicas }, ...over });

/** Kube-OVN's address record of a pod, named as its port. */
export const ip = (
  name: string,
  spec: Record<string, unknown> = {},
  over: Overrides = {},
): Built<'IP'> => {
  const [podName = '', namespace = ''] = name.split('.');
  return object('IP', name, {
    spec: {
      podName,
      namespace,
      subnet: 'apps',
      podType: '',
      v4IpAddress: '10.17.0.10',
      v6IpAddress: '',
      ipAddress: '10.17.0.10',
      attachSubnets: [],
      ...spec,
    },
    ...over,
    metadata: {
      ...over.metadata,
      labels: {
        'ovn.kubernetes.io/ip_reserved': 'false',
        'ovn.kubernetes.io/subnet': 'apps',
        ...(over.metadata?.['labels'] as object | undefined),
      },
    },
  });
};

/** For code that wants an entity without a world. */
export const entityOf = <K extends Kind>(built: Built<K>): Entity<K> =>
  ({
    source: 'kubernetes',
    stream: 'test',
    hash: '',
    ...built,
    object: built.object as unknown as Objects[K],
  }) as unknown as Entity<K>;

/** A node with its port, which have one MAC: what shows that both systems are one cluster. */
export const pairedNode = (
  name = 'paired-1',
  {
    mac = '0a:58:64:40:00:01',
    portMac = mac,
    up = true,
  }: { mac?: string; portMac?: string; up?: boolean } = {},
): readonly Built[] => [
  object('Node', name, {
    metadata: {
      annotations: {
        'ovn.kubernetes.io/allocated': 'true',
        'ovn.kubernetes.io/ip_address': '100.64.0.2',
        'ovn.kubernetes.io/mac_address': mac,
      },
    },
  }),
  row('Logical_Switch_Port', `node-${name}`, {
    up,
    external_ids: { ...VENDOR, ls: 'join' },
    addresses: [`${portMac} 100.64.0.2`],
  }),
];

/**
 * A pod with its port, which a chassis holds up. Their MAC may be given: they show that the
 * namespace was read, not that both systems are one cluster.
 */
export const servedPod = (key: string): readonly Built[] => {
  const [namespace = '', name = ''] = key.split('/');
  const mac = '0a:00:00:00:00:77';
  return [
    pod(key, {
      metadata: {
        annotations: {
          'ovn.kubernetes.io/allocated': 'true',
          'ovn.kubernetes.io/logical_switch': 'apps',
          'ovn.kubernetes.io/ip_address': '10.17.0.77',
          'ovn.kubernetes.io/mac_address': mac,
        },
      },
    }),
    port(`${name}.${namespace}`, { up: true, addresses: [`${mac} 10.17.0.77`] }),
  ];
};

const RANDOM = { mac_prefix: '36:c0:93', svc_monitor_mac: 'd6:3b:51:02:23:c1' };

/** A Northbound and a Southbound between which ovn-northd runs. */
export const databasePair = (options: Record<string, string> = RANDOM): readonly Built[] => [
  row('NB_Global', '', { uid: 'nb-global', options: RANDOM }),
  row('SB_Global', '', { uid: 'sb-global', options }),
];

/** The chassis of a node, as Kube-OVN tags it. */
export const chassis = (
  host = 'worker-1',
  columns: Partial<Objects['Chassis']> & { uid?: string } = {},
): Built<'Chassis'> =>
  row('Chassis', `chassis-of-${host}`, { hostname: host, external_ids: VENDOR, ...columns });

/** A node that is ready, with the annotations that Kube-OVN writes. */
export const readyNode = (
  name = 'worker-1',
  {
    annotations = {},
    metadata = {},
    ...over
  }: Overrides & { annotations?: Record<string, string> } = {},
): Built<'Node'> =>
  object('Node', name, {
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
    ...over,
    metadata: {
      annotations: {
        'ovn.kubernetes.io/allocated': 'true',
        'ovn.kubernetes.io/chassis': `chassis-of-${name}`,
        ...annotations,
      },
      ...metadata,
    },
  });

/**
 * The binding of the port of that name to the chassis of a node; to none where no node is named.
 */
export const binding = (
  port = 'web-0.shop',
  host = 'worker-1',
  columns: Partial<Objects['Port_Binding']> & { uid?: string } = {},
): Built<'Port_Binding'> => ({
  ...row('Port_Binding', '', {
    uid: `Port_Binding:${port}`,
    logical_port: port,
    ...(host === '' ? {} : { chassis: `Chassis:chassis-of-${host}` }),
    ...columns,
  }),
  name: port,
});

/**
 * What a chassis reported last: up to which configuration it came, and how many minutes after noon.
 */
export const chassisReport = (
  host: string,
  nb_cfg: number,
  minutes: number,
): Built<'Chassis_Private'> =>
  row('Chassis_Private', `chassis-of-${host}`, {
    nb_cfg,
    nb_cfg_timestamp: Date.UTC(2026, 0, 1, 12, minutes),
  });

/**
 * Two nodes that follow the configuration, and the chassis of a third that is gone and stopped an
 * hour ago; with the Southbound's mark.
 */
export const deadHost = (host = 'edge-1', report = chassisReport(host, 5, 0)): readonly Built[] => [
  ...databasePair(),
  ...['worker-1', 'worker-2'].flatMap((node) => [
    chassis(node),
    readyNode(node),
    chassisReport(node, 9, 60),
  ]),
  chassis(host),
  report,
];
