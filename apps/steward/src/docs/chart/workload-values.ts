import { z } from 'zod';
import { SinkName } from '@ovn-steward/shared/settings/notify-settings';
import {
  AnyObject,
  Flag,
  Name,
  KubernetesObjects,
  section,
  Size,
  Text,
  chartValue,
} from './value-kit';

const persistence = (
  size: string,
  without = 'Without it, it is built again from the log; in mode `embedded` it is lost, and with it all that could be put back.',
) =>
  section(
    {
      enabled: chartValue(
        Flag,
        true,
        `Whether the state outlives the pod, in a volume of its own. ${without}`,
      ),
      size: chartValue(Size, size, 'How large the volume is.'),
      storageClassName: chartValue(
        Text,
        '',
        'The class of the volume: a local disk, not a network file system. Empty: the default class of the cluster.',
      ),
    },
    'Where the state is kept.',
  );

/** Requests, and a limit of memory. */
export const resources = (cpu: string, memory: string, limit: string) =>
  chartValue(
    AnyObject,
    { requests: { cpu, memory }, limits: { memory: limit } },
    'Of the container. The memory limit must hold all that is known of the cluster.',
  );

const spread = (description = 'Where the pods may stand beside each other.') =>
  chartValue(
    KubernetesObjects,
    [],
    `${description} Empty: on different nodes, where there are several, without insisting.`,
  );

const workload = (
  description: string,
  of: {
    readonly replicas: number;
    readonly size: string;
    readonly resources: ReturnType<typeof resources>;
    readonly how: string;
  },
) =>
  section(
    {
      replicas: chartValue(z.int().min(0).max(12), of.replicas, of.how),
      resources: of.resources,
      persistence: persistence(of.size),
      topologySpreadConstraints: spread(),
    },
    description,
  );

/** The value `embedded`. */
export const Embedded = section(
  {
    resources: resources('200m', '512Mi', '2Gi'),
    persistence: persistence('10Gi'),
  },
  'The pod of mode `embedded`. There is always one.',
);

/** The value `collector`. */
export const CollectorValues = workload('The collector of mode `kafka`.', {
  replicas: 2,
  size: '2Gi',
  resources: resources('100m', '256Mi', '1Gi'),
  how: 'One is at work, the others stand by.',
});

/** The value `analyzer`. */
export const AnalyzerValues = workload('The analyzer of mode `kafka`.', {
  replicas: 2,
  size: '10Gi',
  resources: resources('200m', '512Mi', '2Gi'),
  how: 'They share the clusters; one cluster is one analyzer’s.',
});

/** The value `executor`. */
export const ExecutorValues = workload('The executor of mode `kafka`.', {
  replicas: 2,
  size: '2Gi',
  resources: resources('50m', '256Mi', '1Gi'),
  how: 'One is at work for a cluster, the others stand by.',
});

const key = (description: string) => chartValue(Text, '', description);

/** The value `notifier`. */
export const NotifierValues = section(
  {
    resources: resources('20m', '192Mi', '512Mi'),
    persistence: persistence('1Gi', 'Without it, each new pod sends all that is open once more.'),
    secrets: z
      .record(
        SinkName,
        z.strictObject({
          name: Name.min(1).meta({ description: 'The Secret.' }),
          urlKey: key('The key of the URL, in the place of `url`.'),
          tokenKey: key('The key of the bearer token.'),
        }),
      )
      .default({})
      .meta({
        description:
          'For a sink of `settings.notify.sinks`, by its name: the Secret (`name`) that has its URL (`urlKey`), its bearer token (`tokenKey`), or both. In mode `embedded` the pod of that mode mounts it.',
      }),
  },
  'The notifier of mode `kafka`, made if `settings.notify.sinks` names a sink: always one. In mode `embedded` `steward run` notifies.',
);

/** The value `backup`. */
export const BackupValues = section(
  {
    enabled: chartValue(
      Flag,
      false,
      'Whether backups of the Northbound are taken (`settings.backup`), into a volume of their own. In mode `kafka` only by an executor that has rights to remove.',
    ),
    existingClaim: chartValue(
      Name,
      '',
      'A PersistentVolumeClaim that is there. Empty: one is made, and kept when the release is removed.',
    ),
    size: chartValue(Size, '10Gi', 'How large it is.'),
    storageClassName: chartValue(Text, '', 'Its class. Empty: the default class of the cluster.'),
  },
  'Backups: docs/backup.md.',
);
