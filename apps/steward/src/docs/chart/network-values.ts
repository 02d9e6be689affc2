import { z } from 'zod';
import { Flag, Labels, KubernetesObjects, Name, Port, section, chartValue } from './value-kit';

const peers = (description: string) =>
  chartValue(KubernetesObjects, [], `${description} Empty: anywhere, on its ports alone.`);

const namespaceOf = (of: string) =>
  chartValue(Name, '', `The namespace of ${of}. Empty: that of the release.`);

const chosen = (of: string) => ({
  namespace: namespaceOf(of),
  labels: chartValue(Labels, {}, 'Labels by which the operator chooses it.'),
});

const monitor = (kind: string) =>
  section(
    {
      enabled: chartValue(
        Flag,
        false,
        `Whether to make a ${kind} of the Prometheus operator. Only one of the two, or all is scraped twice.`,
      ),
      interval: chartValue(
        z.string().regex(/^[0-9]+(?:ms|s|m)$/, 'not an interval'),
        '30s',
        'How often is scraped.',
      ),
      scrapeTimeout: chartValue(
        z.string().regex(/^(?:[0-9]+(?:ms|s|m))?$/, 'not an interval'),
        '',
        'How long one scrape may take. Empty: what Prometheus is set to.',
      ),
      ...chosen(`the ${kind}`),
      annotations: chartValue(Labels, {}, 'Its annotations.'),
      relabelings: chartValue(KubernetesObjects, [], 'Changes to targets before they are scraped.'),
      metricRelabelings: chartValue(
        KubernetesObjects,
        [],
        'Changes to series before they are stored.',
      ),
    },
    `A ${kind}.`,
  );

/** The value `networkPolicy`. */
export const NetworkPolicyValues = section(
  {
    enabled: chartValue(
      Flag,
      true,
      'Whether to make NetworkPolicies that let through what is used and nothing else.',
    ),
    metricsFrom: chartValue(
      KubernetesObjects,
      [
        {
          namespaceSelector: {},
          podSelector: { matchLabels: { 'app.kubernetes.io/name': 'prometheus' } },
        },
      ],
      'Who may ask for metrics, on port 9470 or with a login 9490: peers of a NetworkPolicy. The pods of the release may besides.',
    ),
    peopleFrom: chartValue(
      KubernetesObjects,
      [],
      'With a login, who else may ask port 9470: peers of a NetworkPolicy. Empty: nobody.',
    ),
    oidc: section({ to: peers('Where the OIDC issuer is.') }, 'To the OIDC issuer, port 443.'),
    apiServer: section(
      {
        to: peers('Where the API server is.'),
        ports: chartValue(
          z.array(Port).min(1),
          [443, 6443],
          'Its ports, before and behind a Service.',
        ),
      },
      'To the API server.',
    ),
    northbound: section({ to: peers('Where the Northbound is.') }, 'To OVN.'),
    southbound: section(
      { to: peers('Where the Southbound is, if it is read.') },
      'To the Southbound.',
    ),
    kafka: section({ to: peers('Where the brokers are.') }, 'To the brokers.'),
    sinks: section(
      {
        to: peers('Where the sinks of notifications are.'),
        ports: chartValue(
          z.array(Port),
          [],
          'Their ports: those behind a Service. Empty: those of the URLs in `settings.notify.sinks`, and 443 for URLs in Secrets.',
        ),
      },
      'To the sinks of `settings.notify`.',
    ),
    dns: section({ to: peers('Where the name servers are.') }, 'To name servers, port 53.'),
  },
  'Which connections there may be. Probes come from the node, which no policy keeps out.',
);

/** The value `metrics`. */
export const MetricsValues = section(
  {
    serviceMonitor: monitor('ServiceMonitor'),
    podMonitor: monitor('PodMonitor'),
    rules: section(
      {
        enabled: chartValue(
          Flag,
          false,
          'Whether to make a PrometheusRule of deploy/prometheus/rules.yaml: docs/alerts.md.',
        ),
        ...chosen('the PrometheusRule'),
      },
      'Alerts and recording rules.',
    ),
    dashboards: section(
      {
        enabled: chartValue(
          Flag,
          false,
          'Whether to make a ConfigMap of each Grafana dashboard: docs/dashboards.md.',
        ),
        namespace: namespaceOf('the ConfigMaps'),
        labels: chartValue(
          Labels,
          { grafana_dashboard: '1' },
          'Labels by which the sidecar of Grafana finds them; these are those of its chart.',
        ),
        annotations: chartValue(
          Labels,
          {},
          'Annotations, such as the folder in Grafana (`grafana_folder`).',
        ),
      },
      'Dashboards.',
    ),
  },
  'For the Prometheus operator and Grafana.',
);
