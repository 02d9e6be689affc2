import { z } from 'zod';
import { ChartSettings } from './chart-settings';
import { Digests } from './digests';
import { KafkaValues } from './kafka-values';
import { MetricsValues, NetworkPolicyValues } from './network-values';
import { KubeOvn, OvnTls } from './ovn-values';
import {
  AnyObject,
  Flag,
  Labels,
  Name,
  KubernetesObjects,
  section,
  Text,
  chartValue,
} from './value-kit';
import {
  AnalyzerValues,
  BackupValues,
  CollectorValues,
  Embedded,
  ExecutorValues,
  NotifierValues,
  resources,
} from './workload-values';

/**
 * The values of the chart `deploy/helm/ovn-steward`. `values.yaml`, `values.schema.json` and
 * docs/helm-values.md are made of it.
 */
export const Values = z.strictObject({
  mode: chartValue(
    z.enum(['embedded', 'kafka']),
    'embedded',
    '`embedded`: one pod, `steward run`, with its log in a volume. `kafka`: collector, analyzer and executor as three workloads on Apache Kafka.',
  ),
  nameOverride: chartValue(Text, '', 'The name in labels, in the place of the chart’s.'),
  fullnameOverride: chartValue(
    z.string().max(40),
    '',
    'The prefix of all names. Empty: the release’s name, with `ovn-steward` added if missing.',
  ),
  commonLabels: chartValue(Labels, {}, 'Labels of all objects of the release.'),
  image: section(
    {
      registry: chartValue(
        Text,
        '',
        'The registry of the images. None are published: see docs/deploy.md.',
      ),
      repository: chartValue(
        Text,
        'ovn-steward',
        'The prefix of their names: `<registry>/<repository>/collector`, `…/analyzer`, `…/executor`, `…/notifier`, `…/steward`.',
      ),
      tag: chartValue(Text, '', 'Their tag. Empty: the version of the chart’s program.'),
      digests: Digests,
      pullPolicy: chartValue(z.enum(['Always', 'IfNotPresent', 'Never']), 'IfNotPresent', 'When.'),
      pullSecrets: chartValue(KubernetesObjects, [], 'With which Secrets: a list of `{ name }`.'),
    },
    'Images.',
  ),
  settings: ChartSettings.prefault({}).meta({
    description:
      'Settings of ovn-steward as in docs/settings.md: `settings.executor.mode`, `settings.grace.leak`. Not those that the chart sets itself: places of files, folders and ports.',
  }),
  kubeOvn: KubeOvn,
  ovnTls: OvnTls,
  kafka: KafkaValues,
  signing: section(
    {
      secretName: chartValue(
        Name,
        '',
        'The Secret with the executor’s private key. Needed in mode `kafka` before anything may be removed, unless `settings.signing.required` is false.',
      ),
      key: chartValue(Text, 'key.pem', 'The key in that Secret.'),
      trustedKeysConfigMap: chartValue(
        Name,
        '',
        'The ConfigMap with a file for each trusted key (`steward keys generate`).',
      ),
    },
    'Keys for decisions and actions: docs/signing.md.',
  ),
  accounts: section(
    {
      create: chartValue(
        Flag,
        true,
        'Whether to make the ServiceAccounts. If not, they must exist under the same names.',
      ),
      annotations: chartValue(Labels, {}, 'Their annotations.'),
    },
    'ServiceAccounts.',
  ),
  rights: section(
    {
      create: chartValue(
        Flag,
        true,
        'Whether to make Roles, ClusterRoles, their bindings and the admission policy for `rights.pods`. If not, somebody with the right to do so applies deploy/rbac*.yaml first, with the names and the namespace of this release.',
      ),
      executor: chartValue(
        z.enum(['auto', 'always', 'never']),
        'auto',
        'Whether the executor gets the rights to remove: `auto` means if `settings.executor` has a mode beyond `observe`. Use `always` to let people apply plans. In mode `kafka` without these rights it reads no cluster at all.',
      ),
      pods: chartValue(
        Flag,
        false,
        'Whether our accounts may annotate and evict pods (deploy/rbac-pods.yaml), limited by an admission policy.',
      ),
    },
    'Rights in Kubernetes beyond reading.',
  ),
  guard: section(
    {
      vpcs: chartValue(
        Flag,
        false,
        'Whether to hold Vpcs by a finalizer, for Kube-OVN before v1.13.4 (`steward guard run`).',
      ),
      pods: chartValue(
        Flag,
        false,
        'Whether to lift our scheduling gate (`steward guard gates`). Needs `rights.pods`.',
      ),
      podTimeout: chartValue(
        z.string().regex(/^(?:never|(?:[0-9]{1,9}(?:ms|s|m|h|d))+)$/, 'not a duration'),
        '30m',
        'After this time the gate of a pod is lifted even if its subnet is not ready; `never`: not at all.',
      ),
      resources: resources('10m', '96Mi', '512Mi'),
    },
    'The guard as a separate workload with its own account (docs/guard.md). Off unless one of these is on.',
  ),
  embedded: Embedded,
  collector: CollectorValues,
  analyzer: AnalyzerValues,
  executor: ExecutorValues,
  notifier: NotifierValues,
  backup: BackupValues,
  http: section(
    {
      host: chartValue(
        Text,
        '0.0.0.0',
        'The address to listen on in the pod: `[::]` in clusters with IPv6 only.',
      ),
      tlsSecret: chartValue(
        Name,
        '',
        'The Secret with `tls.crt` and `tls.key` to serve HTTPS with on port 9470. Needed with a login, unless `settings.http.auth.plaintext` is true.',
      ),
      oidcCaConfigMap: chartValue(
        Name,
        '',
        'The ConfigMap with `ca.crt`, the authority of the OIDC issuer’s certificate. Empty: those the image trusts.',
      ),
      decisionsSecret: chartValue(
        Name,
        '',
        'The Secret with `key.pem`, by which the executor of mode `kafka` signs what people decide over HTTP (docs/http.md). Empty: no decisions over HTTP there.',
      ),
    },
    'HTTP: port 9470 for health, metrics and findings, port 9480 for probes. With a login (`settings.http.auth.by`) port 9490 for metrics, without one.',
  ),
  pod: section(
    {
      labels: chartValue(Labels, {}, 'Further labels.'),
      annotations: chartValue(Labels, {}, 'Further annotations.'),
      nodeSelector: chartValue(
        Labels,
        { 'kubernetes.io/os': 'linux' },
        'On which nodes. The images are of Linux.',
      ),
      tolerations: chartValue(KubernetesObjects, [], 'Which taints are tolerated.'),
      affinity: chartValue(AnyObject, {}, 'Beside whom.'),
      priorityClassName: chartValue(Text, '', 'Their priority.'),
      runtimeClassName: chartValue(Text, '', 'Their runtime class.'),
      hostNetwork: chartValue(
        Flag,
        false,
        'Whether they use the network of their node, so that ovn-steward sees OVN also while Kube-OVN gives pods no network. In mode `embedded` only, and with a login: port 9470 of the node is then open to who reaches the node. NetworkPolicies do not apply, and the namespace must allow it (Pod Security `privileged`).',
      ),
      dnsPolicy: chartValue(
        z.enum(['', 'ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None']),
        '',
        'How names are resolved. Empty: `ClusterFirstWithHostNet` with `pod.hostNetwork`, else that of Kubernetes.',
      ),
      dnsConfig: chartValue(AnyObject, {}, 'Further name servers and options.'),
      terminationGracePeriodSeconds: chartValue(
        z.int().min(1),
        30,
        'How long they may take to stop: more than `settings.shutdown.deadline`.',
      ),
      extraEnv: chartValue(
        KubernetesObjects,
        [],
        'Further variables of the services, such as `NODE_EXTRA_CA_CERTS` for the authority of a sink. Those that the chart sets win.',
      ),
      extraVolumes: chartValue(
        KubernetesObjects,
        [],
        'Further volumes of the services, such as a ConfigMap with that authority.',
      ),
      extraVolumeMounts: chartValue(KubernetesObjects, [], 'Where they are mounted.'),
    },
    'All pods of the release.',
  ),
  podDisruptionBudget: section(
    {
      enabled: chartValue(
        Flag,
        true,
        'Whether at most one pod of a workload with several may be evicted at a time.',
      ),
    },
    'Disruption budgets.',
  ),
  networkPolicy: NetworkPolicyValues,
  metrics: MetricsValues,
  extraObjects: chartValue(
    KubernetesObjects,
    [],
    'Further objects of the release, whole, such as a Secret of another operator.',
  ),
  global: z
    .looseObject({})
    .optional()
    .meta({ description: 'What Helm hands to charts inside others; not used.' }),
});
