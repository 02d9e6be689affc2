import type { KubernetesObject } from '@ovn-steward/testbed/kubernetes/objects';

type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: 'string' };
const textMap: Schema = { type: 'object', additionalProperties: text };
const object = (properties: Readonly<Record<string, Schema>>, required?: string[]): Schema => ({
  type: 'object',
  properties,
  ...(required && { required }),
});
const list = (items: Schema): Schema => ({ type: 'array', items });
const oneOf = (...values: string[]): Schema => ({ type: 'string', enum: values });

const definition = (
  group: string,
  kind: string,
  plural: string,
  versions: readonly string[],
  spec: Schema,
): KubernetesObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
    scope: 'Namespaced',
    versions: versions.map((name, i) => ({
      name,
      served: true,
      storage: i === 0,
      schema: { openAPIV3Schema: object({ spec }, ['spec']) },
    })),
  },
});

const KAFKA_VERSIONS = ['v1', 'v1beta2'];
const relabelings: Schema = list(
  object({
    sourceLabels: list(text),
    separator: text,
    targetLabel: text,
    regex: text,
    modulus: { type: 'integer' },
    replacement: text,
    action: text,
  }),
);
const monitored = (endpoints: string): Schema =>
  object({
    selector: object({ matchLabels: textMap }),
    namespaceSelector: object({ any: { type: 'boolean' }, matchNames: list(text) }),
    [endpoints]: list(
      object({
        port: text,
        path: text,
        interval: text,
        scrapeTimeout: text,
        relabelings,
        metricRelabelings: relabelings,
      }),
    ),
  });

/**
 * Of the kinds of other operators as much as the chart uses, with the names, types and enumerations
 * of their own definitions: Strimzi (`crds/043-Crd-kafkatopic.yaml`, `044-Crd-kafkauser.yaml`),
 * cert-manager (`crd-cert-manager.io_certificates.yaml`), Prometheus operator. A field that is not
 * here is refused by an API server that is asked to be strict.
 */
export const DEFINITIONS: readonly KubernetesObject[] = [
  definition(
    'kafka.strimzi.io',
    'KafkaTopic',
    'kafkatopics',
    KAFKA_VERSIONS,
    object({
      topicName: text,
      partitions: { type: 'integer', minimum: 1 },
      replicas: { type: 'integer', minimum: 1, maximum: 32767 },
      config: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    }),
  ),
  definition(
    'kafka.strimzi.io',
    'KafkaUser',
    'kafkausers',
    KAFKA_VERSIONS,
    object({
      authentication: object({ type: oneOf('tls', 'tls-external', 'scram-sha-512') }, ['type']),
      authorization: object(
        {
          type: oneOf('simple'),
          acls: list(
            object(
              {
                type: oneOf('allow', 'deny'),
                host: text,
                operations: list(
                  oneOf(
                    ...['Read', 'Write', 'Create', 'Delete', 'Alter', 'Describe', 'ClusterAction'],
                    ...['AlterConfigs', 'DescribeConfigs', 'IdempotentWrite', 'All'],
                  ),
                ),
                resource: object(
                  {
                    type: oneOf('topic', 'group', 'cluster', 'transactionalId'),
                    name: text,
                    patternType: oneOf('literal', 'prefix'),
                  },
                  ['type'],
                ),
              },
              ['resource', 'operations'],
            ),
          ),
        },
        ['acls', 'type'],
      ),
    }),
  ),
  definition(
    'cert-manager.io',
    'Certificate',
    'certificates',
    ['v1'],
    object(
      {
        secretName: text,
        commonName: text,
        usages: list(oneOf('client auth', 'server auth')),
        privateKey: object({ rotationPolicy: oneOf('Never', 'Always') }),
        issuerRef: object({ name: text, kind: text, group: text }, ['name']),
      },
      ['secretName', 'issuerRef'],
    ),
  ),
  definition(
    'monitoring.coreos.com',
    'ServiceMonitor',
    'servicemonitors',
    ['v1'],
    monitored('endpoints'),
  ),
  definition(
    'monitoring.coreos.com',
    'PodMonitor',
    'podmonitors',
    ['v1'],
    monitored('podMetricsEndpoints'),
  ),
  definition(
    'monitoring.coreos.com',
    'PrometheusRule',
    'prometheusrules',
    ['v1'],
    object({
      groups: list(
        object(
          {
            name: text,
            interval: text,
            rules: list(
              object(
                {
                  alert: text,
                  record: text,
                  expr: text,
                  for: text,
                  labels: textMap,
                  annotations: textMap,
                },
                ['expr'],
              ),
            ),
          },
          ['name'],
        ),
      ),
    }),
  ),
];
