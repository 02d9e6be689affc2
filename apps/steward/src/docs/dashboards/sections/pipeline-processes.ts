import { type DashboardSection, ONLY_SERVICES } from '../../grafana/dashboard';
import { rate, series } from '../../grafana/series';

/** The processes, and what they need of Kafka and of each other. */
export const PIPELINE_PROCESSES: readonly DashboardSection[] = [
  {
    title: 'Kafka and leadership',
    panels: [
      {
        title: 'Log reachable',
        answers: 'Does every service reach Kafka?',
        type: 'stat',
        width: 8,
        yesNo: true,
        queries: [
          {
            expr: `min by (instance) (${series('steward_log_reachable')})`,
            legend: '{{instance}}',
          },
        ],
        empty: ONLY_SERVICES,
      },
      {
        title: 'Collectors at work',
        answers: 'How many collectors of a cluster are active? There must be one.',
        type: 'stat',
        width: 8,
        limits: [
          [0, 'red'],
          [1, 'green'],
          [2, 'yellow'],
        ],
        queries: [
          {
            expr: `sum by (cluster) (${series('steward_collector_leader')})`,
            legend: '{{cluster}}',
          },
        ],
        empty: ONLY_SERVICES,
      },
      {
        title: 'Events of Kafka clients',
        answers: 'Are consumers restarted or producers replaced, do partitions move?',
        type: 'timeseries',
        width: 8,
        unit: 'cps',
        queries: [
          {
            expr: `sum by (type) (${rate('steward_log_client_events_total')})`,
            legend: '{{type}}',
          },
        ],
        empty: ONLY_SERVICES,
      },
    ],
  },
  {
    title: 'Processes',
    panels: [
      {
        title: 'Versions',
        answers: 'Which version runs where?',
        type: 'table',
        width: 8,
        queries: [
          {
            expr: `max by (job, instance, version) (${series('steward_build_info')})`,
            legend: 'runs',
          },
        ],
      },
      {
        title: 'Ready by instance',
        answers: 'Which process was not ready, and when?',
        type: 'timeseries',
        width: 8,
        queries: [
          { expr: `min by (instance) (${series('steward_ready')})`, legend: '{{instance}}' },
        ],
      },
      {
        title: 'Certificates end in',
        answers: 'When does a certificate end that a setting names?',
        type: 'table',
        width: 8,
        queries: [
          {
            expr: `min by (job, setting) (${series('steward_certificate_expiry_timestamp_seconds')}) - time()`,
            legend: 'ends in',
            unit: 's',
          },
        ],
        empty: 'no setting names a certificate',
      },
      {
        title: 'Event loop delay',
        answers: 'Is a process too busy to answer in time?',
        type: 'timeseries',
        width: 8,
        unit: 's',
        queries: [
          {
            expr: `max by (instance) (${series('steward_event_loop_delay_seconds', 'quantile="1"')})`,
            legend: '{{instance}}',
          },
        ],
      },
      {
        title: 'Memory',
        answers: 'Does a process grow?',
        type: 'timeseries',
        width: 8,
        unit: 'bytes',
        queries: [
          {
            expr: `sum by (instance) (${series('process_resident_memory_bytes')})`,
            legend: '{{instance}}',
          },
        ],
        empty: ONLY_SERVICES,
      },
      {
        title: 'Processor',
        answers: 'How much of a processor core does a process use?',
        type: 'timeseries',
        width: 8,
        unit: 'percentunit',
        queries: [
          {
            expr: `sum by (instance) (${rate('process_cpu_seconds_total')})`,
            legend: '{{instance}}',
          },
        ],
        empty: ONLY_SERVICES,
      },
      {
        title: 'Work begun again',
        answers: 'Does the work of a service fail as a whole?',
        type: 'timeseries',
        width: 12,
        unit: 'cps',
        queries: [
          {
            expr: `sum by (instance) (${rate('steward_work_retries_total')})`,
            legend: '{{instance}}',
          },
        ],
        empty: ONLY_SERVICES,
      },
      {
        title: 'HTTP requests refused',
        answers:
          'Are requests refused because their sender is not authenticated (401) or not authorized (403)?',
        type: 'timeseries',
        width: 12,
        unit: 'cps',
        queries: [
          {
            expr: `sum by (status) (${rate('steward_http_requests_refused_total')})`,
            legend: '{{status}}',
          },
        ],
        empty: 'none refused since the process began',
      },
    ],
  },
];
