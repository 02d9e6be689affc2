import { z } from 'zod';
import { ChartSettings } from './chart-settings';

/** A value with its default and what it means; both are shown in values.yaml, in the schema and on the page of values. */
const value = <T extends z.ZodType>(schema: T, byDefault: z.input<T>, says: string) =>
  schema.default(byDefault as never).meta({ description: says });

const section = <T extends z.ZodRawShape>(shape: T, says: string) =>
  z.strictObject(shape).optional().meta({ description: says });

const Text = z.string();
const Flag = z.boolean();
const Labels = z.record(z.string(), z.string());
/** What Kubernetes defines and the API server checks. */
const Objects = z.array(z.looseObject({}));
const AnyObject = z.looseObject({});
const Size = z
  .string()
  .regex(/^[1-9][0-9]*(?:Ki|Mi|Gi|Ti)$/, 'not a size: write a number with Ki, Mi, Gi or Ti');
const Port = z.int().min(1).max(65535);
const Name = z.string().max(253);

const persistence = (size: string) =>
  section(
    {
      enabled: value(
        Flag,
        true,
        'Whether the state outlives the pod, in a volume of its own. Without it, it is built again from the log; in mode `embedded` it is lost, and with it all that could be put back.',
      ),
      size: value(Size, size, 'How large the volume is.'),
      storageClassName: value(
        Text,
        '',
        'The class of the volume: a local disk, not a network file system. Empty: the default class of the cluster.',
      ),
    },
    'Where the state is kept.',
  );

const resources = (cpu: string, memory: string, limit: string) =>
  value(
    AnyObject,
    { requests: { cpu, memory }, limits: { memory: limit } },
    'Of the container. The memory limit must hold all that is known of the cluster.',
  );

const spread = (says = 'Where the pods may stand beside each other.') =>
  value(
    Objects,
    [],
    `${says} Empty: on different nodes, where there are several, without insisting.`,
  );

const workload = (
  says: string,
  of: {
    readonly replicas: number;
    readonly size: string;
    readonly resources: ReturnType<typeof resources>;
    readonly how: string;
  },
) =>
  section(
    {
      replicas: value(z.int().min(0).max(12), of.replicas, of.how),
      resources: of.resources,
      persistence: persistence(of.size),
      topologySpreadConstraints: spread(),
    },
    says,
  );

const client = (says: string) =>
  section(
    {
      username: value(
        Text,
        '',
        'The name to log in with, for `scram-sha-512`, `scram-sha-256` and `plain`. Empty: that of the KafkaUser where Strimzi makes one.',
      ),
      secretName: value(
        Name,
        '',
        'The Secret with its password (`passwordKey`), or its certificate and key. Empty: that of the KafkaUser, or of the Certificate.',
      ),
    },
    says,
  );

const issuer = section(
  {
    name: value(
      Name,
      '',
      'Its name. Empty: no certificate is asked of cert-manager, and a Secret is needed.',
    ),
    kind: value(z.enum(['Issuer', 'ClusterIssuer']), 'Issuer', 'Its kind.'),
    group: value(Text, 'cert-manager.io', 'Its API group.'),
  },
  'The issuer of cert-manager that signs the client certificate.',
);

const peers = (says: string) => value(Objects, [], `${says} Empty: anywhere, on its ports alone.`);

const monitor = (kind: string) =>
  section(
    {
      enabled: value(
        Flag,
        false,
        `Whether to make a ${kind} of the Prometheus operator. Only one of the two, or all is scraped twice.`,
      ),
      interval: value(
        z.string().regex(/^[0-9]+(?:ms|s|m)$/, 'not an interval'),
        '30s',
        'How often is scraped.',
      ),
      labels: value(Labels, {}, 'Labels by which the operator chooses it.'),
    },
    `A ${kind}.`,
  );

/** The values of the chart `deploy/helm/ovn-steward`. `values.yaml`, `values.schema.json` and docs/helm-values.md are made of it. */
export const Values = z.strictObject({
  mode: value(
    z.enum(['embedded', 'kafka']),
    'embedded',
    '`embedded`: one pod, `steward run`, with its log in a volume. `kafka`: collector, analyzer and executor as three workloads on Apache Kafka.',
  ),
  nameOverride: value(Text, '', 'The name in labels, in the place of the chart’s.'),
  fullnameOverride: value(
    z.string().max(40),
    '',
    'What all names begin with. Empty: the release’s name, with `ovn-steward` where that is not in it.',
  ),
  image: section(
    {
      registry: value(
        Text,
        '',
        'Where images are pulled from. They are not published: docs/deploy.md says how to build and load them.',
      ),
      repository: value(
        Text,
        'ovn-steward',
        'What their names begin with: `<registry>/<repository>/collector`, `…/analyzer`, `…/executor`, `…/steward`.',
      ),
      tag: value(Text, '', 'Their tag. Empty: the version of the chart’s program.'),
      pullPolicy: value(z.enum(['Always', 'IfNotPresent', 'Never']), 'IfNotPresent', 'When.'),
      pullSecrets: value(Objects, [], 'With which Secrets: a list of `{ name }`.'),
    },
    'Images.',
  ),
  settings: ChartSettings.prefault({}).meta({
    description:
      'Settings of ovn-steward, as docs/settings.md has them: `settings.executor.mode`, `settings.grace.leak`. Not those that the chart sets itself: where files, folders and ports are.',
  }),
  kubeOvn: section(
    {
      namespace: value(Name, 'kube-system', 'The namespace Kube-OVN runs in.'),
      controller: value(
        Name,
        'kube-ovn-controller',
        'Its Deployment, whose `ENABLE_SSL` says at the installation whether OVN speaks TLS.',
      ),
      northbound: section(
        {
          service: value(Name, 'ovn-nb', 'The Service of its Northbound.'),
          port: value(Port, 6641, 'The port of that Service.'),
        },
        'Where its Northbound is, unless `settings.ovnNb.remote` says otherwise.',
      ),
    },
    'Kube-OVN, as it is found when the release is installed or upgraded.',
  ),
  ovnTls: section(
    {
      use: value(
        z.enum(['auto', 'always', 'never']),
        'auto',
        'Whether the Northbound is reached by TLS: `auto` is what `settings.ovnNb.remote` says (`ssl:`) or, without it, what Kube-OVN’s controller does.',
      ),
      secretName: value(
        Name,
        '',
        'The Secret with the three PEM files, in the namespace of the release. Empty: Kube-OVN’s `kube-ovn-tls`, which is copied where the release lies in another namespace.',
      ),
      keys: section(
        {
          ca: value(Text, 'cacert', 'Of the authority that signed the server.'),
          certificate: value(Text, 'cert', 'Of the client’s certificate.'),
          privateKey: value(Text, 'key', 'Of the client’s key.'),
        },
        'The keys in that Secret. With an issuer: `ca.crt`, `tls.crt`, `tls.key`.',
      ),
      issuer,
      serverName: value(
        Text,
        'ovn',
        'The name in the server’s certificate where `settings.ovnNb` has neither `serverName` nor `verifyName`: Kube-OVN’s is made for `ovn`. Empty: the host of the remote.',
      ),
    },
    'TLS to OVN.',
  ),
  kafka: section(
    {
      tls: section(
        {
          enabled: value(Flag, false, 'Whether to speak TLS to the brokers.'),
          caSecret: section(
            {
              name: value(
                Name,
                '',
                'The Secret. Empty: the authorities the image trusts or, with Strimzi, `<cluster>-cluster-ca-cert`.',
              ),
              key: value(Text, 'ca.crt', 'The key in it.'),
            },
            'The authority that signed the brokers’ certificates.',
          ),
          issuer,
        },
        'TLS to the brokers.',
      ),
      authentication: value(
        z.enum(['none', 'plain', 'scram-sha-256', 'scram-sha-512', 'tls']),
        'none',
        'How the services log in to the brokers; `tls` is by a certificate.',
      ),
      passwordKey: value(Text, 'password', 'The key of the password in the Secrets.'),
      certificateKeys: section(
        {
          certificate: value(Text, 'user.crt', 'Of the certificate.'),
          privateKey: value(Text, 'user.key', 'Of the key.'),
        },
        'The keys in the Secrets for `tls`: those of Strimzi. With an issuer: `tls.crt`, `tls.key`.',
      ),
      clients: section(
        {
          collector: client('The collector.'),
          analyzer: client('The analyzer.'),
          executor: client('The executor.'),
        },
        'Who logs in: each service as a principal of its own.',
      ),
      strimzi: section(
        {
          enabled: value(
            Flag,
            false,
            'Whether Strimzi runs the brokers: `settings.kafka.brokers` is then found by the cluster’s name.',
          ),
          cluster: value(Name, '', 'The name of its Kafka object.'),
          namespace: value(
            Name,
            '',
            'The namespace of that object. Empty: that of the release. KafkaTopics and KafkaUsers are made there.',
          ),
          apiVersion: value(
            z.enum(['kafka.strimzi.io/v1', 'kafka.strimzi.io/v1beta2']),
            'kafka.strimzi.io/v1',
            '`v1beta2` for Strimzi before 0.49.',
          ),
          topics: value(Flag, true, 'Whether to make the five KafkaTopics.'),
          users: value(
            Flag,
            true,
            'Whether to make a KafkaUser for each service, with just the rights of docs/kafka.md.',
          ),
          people: value(
            z.array(z.enum(['approver', 'operator', 'subscriber'])),
            [],
            'For whom else to make one, with the rights of that table.',
          ),
        },
        'Objects of the Strimzi operator.',
      ),
    },
    'Apache Kafka, in mode `kafka`. The brokers are `settings.kafka.brokers`.',
  ),
  signing: section(
    {
      secretName: value(
        Name,
        '',
        'The Secret with the executor’s private key. Needed in mode `kafka` before anything may be removed, unless `settings.signing.required` is false.',
      ),
      key: value(Text, 'key.pem', 'The key in that Secret.'),
      trustedKeysConfigMap: value(
        Name,
        '',
        'The ConfigMap with a file for each key that is trusted (`steward keys generate`).',
      ),
    },
    'Who is believed about decisions and actions: docs/signing.md.',
  ),
  rights: section(
    {
      executor: value(
        z.enum(['auto', 'always', 'never']),
        'auto',
        'Whether the executor gets the rights to remove: `auto` is where `settings.executor` has a mode beyond `observe`. `always` also for plans that people apply. In mode `kafka` without them it reads no cluster at all.',
      ),
      pods: value(
        Flag,
        false,
        'Whether our accounts may annotate and evict pods (deploy/rbac-pods.yaml), held to that by an admission policy.',
      ),
    },
    'Rights in Kubernetes beyond reading.',
  ),
  guard: section(
    {
      vpcs: value(
        Flag,
        false,
        'Whether to hold Vpcs by a finalizer, for Kube-OVN before v1.13.4 (`steward guard run`).',
      ),
      pods: value(
        Flag,
        false,
        'Whether to lift our scheduling gate (`steward guard gates`). Needs `rights.pods`.',
      ),
      podTimeout: value(
        z.string().regex(/^(?:never|(?:[0-9]{1,9}(?:ms|s|m|h|d))+)$/, 'not a duration'),
        '30m',
        'After so long a pod is let go though its subnet is not ready; `never`: not at all.',
      ),
      resources: resources('10m', '96Mi', '512Mi'),
    },
    'The guard as a workload of its own, with an account of its own (docs/guard.md). Off where neither is on.',
  ),
  embedded: section(
    {
      resources: resources('200m', '512Mi', '2Gi'),
      persistence: persistence('10Gi'),
    },
    'The pod of mode `embedded`. There is always one.',
  ),
  collector: workload('The collector of mode `kafka`.', {
    replicas: 2,
    size: '2Gi',
    resources: resources('100m', '256Mi', '1Gi'),
    how: 'One is at work, the others stand by.',
  }),
  analyzer: workload('The analyzer of mode `kafka`.', {
    replicas: 2,
    size: '10Gi',
    resources: resources('200m', '512Mi', '2Gi'),
    how: 'They share the clusters; one cluster is one analyzer’s.',
  }),
  executor: workload('The executor of mode `kafka`.', {
    replicas: 2,
    size: '2Gi',
    resources: resources('50m', '256Mi', '1Gi'),
    how: 'One is at work for a cluster, the others stand by.',
  }),
  backup: section(
    {
      enabled: value(
        Flag,
        false,
        'Whether backups of the Northbound are taken (`settings.backup`), into a volume of their own. In mode `kafka` only by an executor that has rights to remove.',
      ),
      existingClaim: value(
        Name,
        '',
        'A PersistentVolumeClaim that is there. Empty: one is made, and kept when the release is removed.',
      ),
      size: value(Size, '10Gi', 'How large it is.'),
      storageClassName: value(Text, '', 'Its class. Empty: the default class of the cluster.'),
    },
    'Backups: docs/backup.md.',
  ),
  http: section(
    {
      host: value(
        Text,
        '0.0.0.0',
        'The address to listen on in the pod: `[::]` in clusters of IPv6 alone.',
      ),
    },
    'HTTP: port 9470 for health, metrics and findings, port 9480 for probes.',
  ),
  pod: section(
    {
      labels: value(Labels, {}, 'Further labels.'),
      annotations: value(Labels, {}, 'Further annotations.'),
      nodeSelector: value(Labels, {}, 'On which nodes.'),
      tolerations: value(Objects, [], 'Which taints are tolerated.'),
      affinity: value(AnyObject, {}, 'Beside whom.'),
      priorityClassName: value(Text, '', 'Their priority.'),
      terminationGracePeriodSeconds: value(
        z.int().min(1),
        30,
        'How long they may take to end: more than `settings.shutdown.deadline`.',
      ),
    },
    'All pods of the release.',
  ),
  podDisruptionBudget: section(
    {
      enabled: value(
        Flag,
        true,
        'Whether at most one pod of a workload may be evicted at a time, where it has several.',
      ),
    },
    'Disruption budgets.',
  ),
  networkPolicy: section(
    {
      enabled: value(
        Flag,
        true,
        'Whether to make NetworkPolicies that let through what is used and nothing else.',
      ),
      metricsFrom: value(
        Objects,
        [
          {
            namespaceSelector: {},
            podSelector: { matchLabels: { 'app.kubernetes.io/name': 'prometheus' } },
          },
        ],
        'Who may ask port 9470: peers of a NetworkPolicy. There is no login. The pods of the release may besides.',
      ),
      apiServer: section(
        {
          to: peers('Where the API server is.'),
          ports: value(
            z.array(Port).min(1),
            [443, 6443],
            'Its ports, before and behind a Service.',
          ),
        },
        'To the API server.',
      ),
      northbound: section({ to: peers('Where the Northbound is.') }, 'To OVN.'),
      kafka: section({ to: peers('Where the brokers are.') }, 'To the brokers.'),
      dns: section({ to: peers('Where the name servers are.') }, 'To name servers, port 53.'),
    },
    'Which connections there may be. Probes come from the node, which no policy keeps out.',
  ),
  metrics: section(
    {
      serviceMonitor: monitor('ServiceMonitor'),
      podMonitor: monitor('PodMonitor'),
      rules: section(
        {
          enabled: value(
            Flag,
            false,
            'Whether to make a PrometheusRule of deploy/prometheus/rules.yaml: docs/alerts.md.',
          ),
          labels: value(Labels, {}, 'Labels by which the operator chooses it.'),
        },
        'Alerts and recording rules.',
      ),
    },
    'For the Prometheus operator.',
  ),
  global: z
    .looseObject({})
    .optional()
    .meta({ description: 'What Helm hands to charts inside others; not used.' }),
});
