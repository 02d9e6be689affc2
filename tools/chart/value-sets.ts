/**
 * Values as people would give them: each is rendered, applied to a real API server, and read by the
 * programs.
 */
export const KAFKA = { mode: 'kafka', settings: { kafka: { brokers: ['kafka:9092'] } } } as const;

const SIGNED = { secretName: 'executor-key', trustedKeysConfigMap: 'trusted-keys' } as const;

export const STRIMZI = {
  mode: 'kafka',
  kafka: {
    tls: { enabled: true },
    authentication: 'scram-sha-512',
    strimzi: { enabled: true, cluster: 'events' },
  },
} as const;

/** One sink with an address, and one whose address and token are in Secrets. */
export const NOTIFY = {
  settings: {
    notify: {
      sinks: {
        alerts: { type: 'alertmanager', url: 'http://alertmanager.monitoring:9093' },
        'team-red': { type: 'slack', routes: [{ vpcs: ['red'] }] },
      },
    },
  },
  notifier: { secrets: { 'team-red': { name: 'slack', urlKey: 'hook', tokenKey: 'token' } } },
} as const;

/** Events on the objects concerned, of findings and of what the executor did; no address. */
export const EVENTS = {
  settings: {
    notify: { sinks: { cluster: { type: 'kubernetes-events', about: ['findings', 'actions'] } } },
  },
} as const;

export const VALUE_SETS: Readonly<Record<string, object>> = {
  'the defaults': {},
  'embedded, enforcing one rule': {
    settings: { executor: { rules: { 'orphaned-port-group': 'enforce' } }, cluster: 'berlin-1' },
    backup: { enabled: true },
  },
  'embedded, with all that can be switched on': {
    settings: {
      executor: { mode: 'propose', guard: { vpcFinalizer: true, podGates: true } },
      ovnNb: { remote: 'ssl:10.0.0.1:6641,ssl:10.0.0.2:6641' },
      ovnSb: { remote: 'ssl:10.0.0.1:6642,ssl:10.0.0.2:6642' },
      grace: { leak: '1h' },
      protect: [{ table: 'Port_Group', name: '/^audit-/' }],
    },
    ovnTls: { issuer: { name: 'ovn-ca', kind: 'ClusterIssuer' } },
    rights: { pods: true },
    guard: { vpcs: true, pods: true },
    signing: SIGNED,
    metrics: {
      podMonitor: { enabled: true, labels: { team: 'net' } },
      rules: { enabled: true },
      dashboards: { enabled: true, annotations: { grafana_folder: 'network' } },
    },
    embedded: { persistence: { enabled: false } },
    pod: {
      labels: { team: 'net' },
      annotations: { note: 'x' },
      priorityClassName: 'system-cluster-critical',
      extraEnv: [{ name: 'UV_THREADPOOL_SIZE', value: '8' }],
      extraVolumes: [{ name: 'sinks-ca', configMap: { name: 'sinks-ca' } }],
      extraVolumeMounts: [{ name: 'sinks-ca', mountPath: '/etc/sinks-ca', readOnly: true }],
    },
    backup: { enabled: true, existingClaim: 'backups' },
  },
  'embedded, in the network of its node, with parts in other namespaces and labels of a team': {
    commonLabels: { 'example.org/cost-centre': '4711' },
    settings: { http: { auth: { by: 'kubernetes', audiences: ['ovn-steward'] } } },
    http: { tlsSecret: 'steward-https' },
    accounts: { annotations: { 'example.org/owner': 'net' } },
    pod: {
      hostNetwork: true,
      dnsConfig: { options: [{ name: 'ndots', value: '1' }] },
      runtimeClassName: 'kata',
    },
    metrics: {
      serviceMonitor: {
        enabled: true,
        namespace: 'monitoring',
        annotations: { note: 'x' },
        scrapeTimeout: '10s',
        relabelings: [{ targetLabel: 'region', replacement: 'east' }],
        metricRelabelings: [{ action: 'labeldrop', regex: 'pod' }],
      },
      rules: { enabled: true, namespace: 'monitoring' },
      dashboards: { enabled: true, namespace: 'monitoring' },
    },
    extraObjects: [
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'beside', namespace: 'ovn-steward' },
        data: { a: 'b' },
      },
    ],
  },
  'embedded, notifying': NOTIFY,
  'embedded, writing Events': EVENTS,
  'kafka, writing Events': { ...KAFKA, settings: { ...KAFKA.settings, ...EVENTS.settings } },
  'kafka, notifying on a topic': {
    ...KAFKA,
    settings: {
      ...KAFKA.settings,
      notify: { sinks: { events: { type: 'kafka-binary', topic: 'network-events' } } },
    },
  },
  'embedded, with a login': {
    settings: { http: { auth: { by: 'kubernetes', audiences: ['ovn-steward'] } } },
    http: { tlsSecret: 'steward-https' },
    networkPolicy: { peopleFrom: [{ namespaceSelector: {} }] },
    metrics: { serviceMonitor: { enabled: true } },
  },
  'kafka, with a login by OIDC, deciding over HTTP': {
    mode: 'kafka',
    settings: {
      kafka: { brokers: ['kafka:9092'] },
      executor: { mode: 'propose' },
      http: {
        auth: { by: 'oidc', oidc: { issuer: 'https://login.example.org', audience: 'steward' } },
      },
      ...NOTIFY.settings,
    },
    notifier: NOTIFY.notifier,
    http: {
      tlsSecret: 'steward-https',
      oidcCaConfigMap: 'login-ca',
      decisionsSecret: 'decisions-key',
    },
    signing: SIGNED,
    metrics: { podMonitor: { enabled: true } },
  },
  kafka: KAFKA,
  'kafka, acting, with certificates of cert-manager': {
    mode: 'kafka',
    settings: {
      kafka: { brokers: ['a.example:9093', '[fd00::1]:9094'], topicPrefix: 'east.steward.' },
      executor: { mode: 'enforce' },
      lease: { namespace: 'leases' },
      ...NOTIFY.settings,
    },
    notifier: { ...NOTIFY.notifier, persistence: { enabled: false } },
    kafka: { authentication: 'tls', tls: { issuer: { name: 'kafka-clients' } } },
    signing: SIGNED,
    rights: { pods: true },
    guard: { vpcs: true, pods: true },
    backup: { enabled: true },
    metrics: { serviceMonitor: { enabled: true } },
  },
  'kafka, with passwords': {
    ...KAFKA,
    kafka: {
      authentication: 'scram-sha-256',
      tls: { enabled: true, caSecret: { name: 'kafka-ca' } },
      clients: {
        collector: { username: 'c', secretName: 'c' },
        analyzer: { username: 'a', secretName: 'a' },
        executor: { username: 'e', secretName: 'e' },
      },
    },
    collector: { replicas: 1, persistence: { enabled: false } },
  },
  Strimzi: STRIMZI,
  'Strimzi, of an older version, by certificates, for people, too': {
    mode: 'kafka',
    settings: { kafka: { topicPrefix: 'east.steward.', replicationFactor: 1 } },
    kafka: {
      authentication: 'tls',
      strimzi: {
        enabled: true,
        cluster: 'events',
        apiVersion: 'kafka.strimzi.io/v1beta2',
        people: ['approver', 'operator', 'subscriber'],
      },
    },
  },
};
