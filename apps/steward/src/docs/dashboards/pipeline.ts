import { type Dashboard, ONLY_SERVICES } from '../grafana/dashboard';
import { rate, series } from '../grafana/series';
import { PIPELINE_PROCESSES } from './sections/pipeline-processes';

const NOT_NOTIFIED = 'no notifier runs, or it has sent nothing yet';

export const pipelineDashboard: Dashboard = {
  name: 'pipeline',
  title: 'Pipeline',
  purpose:
    'Whether changes come in, are judged and are published in time, and how the processes are.',
  variables: [
    { name: 'job', of: 'steward_build_info' },
    { name: 'cluster', of: 'steward_findings' },
  ],
  sections: [
    {
      title: 'Sources',
      panels: [
        {
          title: 'Age of what is known, by source',
          answers: 'Is what is known up to date? Objective: below 420 seconds.',
          type: 'timeseries',
          width: 12,
          unit: 's',
          queries: [
            {
              expr: `max by (cluster, source) (${series('steward_watermark_age_seconds')})`,
              legend: '{{cluster}} {{source}}',
            },
          ],
        },
        {
          title: 'Oldest streams',
          answers: 'Which kinds or tables are behind now? The five oldest.',
          type: 'table', // over time the five change at each step, and their lines are torn
          width: 12,
          unit: 's',
          queries: [
            {
              expr: `sort_desc(topk(5, max by (source, stream) (${series('steward_watermark_age_seconds')})))`,
              legend: 'age',
            },
          ],
        },
        {
          title: 'Source completeness',
          answers: 'When was a source not known in full?',
          type: 'timeseries',
          width: 8,
          queries: [
            {
              expr: `min by (cluster, source) (${series('steward_source_complete')})`,
              legend: '{{cluster}} {{source}}',
            },
          ],
        },
        {
          title: 'Streams by state',
          answers: 'How far are the streams read?',
          type: 'timeseries',
          manyLines: true,
          width: 8,
          queries: [
            {
              expr: `sum by (source, state) (${series('steward_collector_streams')}) > 0`,
              legend: '{{source}} {{state}}',
            },
          ],
          empty: ONLY_SERVICES,
        },
        {
          title: 'Failures of sources',
          answers: 'Which source fails and is read again?',
          type: 'timeseries',
          width: 8,
          unit: 'cps',
          queries: [
            {
              expr: `sum by (source) (${rate('steward_collector_source_failures_total')})`,
              legend: '{{source}}',
            },
            {
              expr: `sum by (source) (${rate('steward_collector_publish_retries_total')})`,
              legend: '{{source}}: writes to the log',
            },
          ],
        },
      ],
    },
    {
      title: 'Flow',
      panels: [
        {
          title: 'Records per second',
          answers: 'How much is published, judged and read by the executor?',
          type: 'timeseries',
          width: 12,
          unit: 'cps',
          queries: [
            {
              expr: `sum(${rate('steward_collector_changes_published_total')})`,
              legend: 'published by collectors',
            },
            {
              expr: `sum(${rate('steward_analyzer_records_total')})`,
              legend: 'judged by analyzers',
            },
            {
              expr: `sum(${rate('steward_executor_records_total')})`,
              legend: 'read by executors',
            },
          ],
        },
        {
          title: 'Duration of a batch',
          answers:
            'How long from reading changes to their findings being published? Objective: 99 of 100 below 1 second.',
          type: 'timeseries',
          width: 12,
          unit: 's',
          queries: [
            {
              expr: `histogram_quantile(0.5, sum by (le) (${rate('steward_analyzer_batch_duration_seconds_bucket')}))`,
              legend: 'half of them',
            },
            {
              expr: `histogram_quantile(0.99, sum by (le) (${rate('steward_analyzer_batch_duration_seconds_bucket')}))`,
              legend: '99 of 100',
            },
          ],
        },
        {
          title: 'Lag',
          answers: 'How many records wait for each group of consumers?',
          type: 'timeseries',
          width: 12,
          queries: [
            {
              expr: `sum by (job) (${series('steward_analyzer_partition_lag')})`,
              legend: '{{job}} analyzer',
            },
            {
              expr: `sum by (job) (${series('steward_executor_partition_lag')})`,
              legend: '{{job}} executor',
            },
            {
              expr: `sum by (job) (${series('steward_notifier_lag_records')})`,
              legend: '{{job}} notifier',
            },
          ],
          empty: ONLY_SERVICES,
        },
        {
          title: 'Partitions by consumer',
          answers: 'Does every consumer of a group have work, and is every partition read?',
          type: 'timeseries',
          width: 12,
          queries: [
            {
              expr: `sum by (instance) (${series('steward_analyzer_partitions')})`,
              legend: '{{instance}} analyzer',
            },
            {
              expr: `sum by (instance) (${series('steward_executor_partitions')})`,
              legend: '{{instance}} executor',
            },
          ],
          empty: ONLY_SERVICES,
        },
        {
          title: 'Dead letters and skipped records',
          answers: 'Are there records that cannot be read?',
          type: 'timeseries',
          width: 6,
          unit: 'cps',
          queries: [
            {
              expr: `sum by (job) (${rate('steward_dead_letters_total')})`,
              legend: '{{job}}',
            },
            {
              expr: `sum by (job) (${rate('steward_executor_newer_records_total')})`,
              legend: '{{job}}: of a newer version',
            },
          ],
        },
        {
          title: 'Rebuilds, lost partitions, failures',
          answers: 'Does an analyzer read partitions again, or lose them to another?',
          type: 'timeseries',
          width: 6,
          unit: 'cps',
          queries: [
            { expr: `sum(${rate('steward_analyzer_rebuilds_total')})`, legend: 'rebuilds' },
            {
              expr: `sum(${rate('steward_analyzer_partitions_lost_total')})`,
              legend: 'lost partitions',
            },
            { expr: `sum(${rate('steward_analyzer_failures_total')})`, legend: 'failures' },
          ],
          empty: ONLY_SERVICES,
        },
        {
          title: 'Notifications',
          answers: 'Do sinks take notifications?',
          type: 'timeseries',
          width: 6,
          unit: 'cps',
          queries: [
            {
              expr: `sum by (sink, state) (${rate('steward_notifier_notifications_total')})`,
              legend: '{{sink}} {{state}}',
            },
            {
              expr: `sum by (sink) (${rate('steward_notifier_failures_total')})`,
              legend: '{{sink}} failed',
            },
          ],
          empty: NOT_NOTIFIED,
        },
        {
          title: 'Groups to be checked',
          answers:
            'How many groups of findings may have to be sent to a sink? Counts those that were sent and are checked again later.',
          type: 'timeseries',
          width: 6,
          queries: [
            {
              expr: `sum by (sink) (${series('steward_notifier_waiting_groups')})`,
              legend: '{{sink}}',
            },
          ],
          empty: NOT_NOTIFIED,
        },
      ],
    },
    ...PIPELINE_PROCESSES,
  ],
};
