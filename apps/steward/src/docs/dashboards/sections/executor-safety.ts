import type { DashboardSection } from '../../grafana/dashboard';
import { increase, series } from '../../grafana/series';

const NONE = 'none since the executor began';

/** What keeps the executor from doing harm, and the guards. */
export const EXECUTOR_SAFETY: readonly DashboardSection[] = [
  {
    title: 'Safety',
    panels: [
      {
        title: 'Records refused',
        answers: 'Does somebody write decisions without a trusted key?',
        type: 'timeseries',
        width: 8,
        queries: [
          {
            expr: `sum by (topic, reason) (${increase('steward_records_refused_total')})`,
            legend: '{{topic}} {{reason}}',
          },
        ],
        empty: NONE,
      },
      {
        title: 'Refused for another cluster',
        answers: 'Does the executor reach other systems than those of its ledger?',
        type: 'timeseries',
        width: 8,
        queries: [
          {
            expr: `sum by (refused) (${increase('steward_executor_other_cluster_total')})`,
            legend: '{{refused}}',
          },
        ],
        empty: NONE,
      },
      {
        title: 'Not proven',
        answers: 'What was not done since only unsigned records speak for it?',
        type: 'timeseries',
        width: 8,
        queries: [
          {
            expr: `sum by (refused) (${increase('steward_executor_unproven_total')})`,
            legend: '{{refused}}',
          },
        ],
        empty: NONE,
      },
      {
        title: 'Newest backup',
        answers: 'When was the newest verified backup of the Northbound taken?',
        type: 'stat',
        width: 8,
        unit: 's',
        limits: [[86400, 'yellow']],
        queries: [
          {
            expr: `time() - max(${series('steward_executor_backup_last_success_timestamp_seconds')} > 0)`,
            legend: 'age',
          },
        ],
        empty: 'no backup',
      },
      {
        title: 'Failed backups and failures',
        answers: 'Does the executor fail to take backups, to read or to act?',
        type: 'timeseries',
        width: 16,
        queries: [
          {
            expr: `sum(${increase('steward_executor_backup_failures_total')})`,
            legend: 'backups',
          },
          { expr: `sum(${increase('steward_executor_failures_total')})`, legend: 'work' },
          { expr: `sum(${increase('steward_executor_guard_failures_total')})`, legend: 'guards' },
        ],
      },
    ],
  },
  {
    title: 'Guards',
    panels: [
      {
        title: 'Vpcs that wait for their deletion',
        answers: 'Does the guard keep a Vpc while Subnets are in it?',
        type: 'stat',
        width: 6,
        queries: [
          {
            expr: `sum(${series('steward_executor_waiting_vpc_deletions')})`,
            legend: 'waiting',
          },
        ],
      },
      {
        title: 'Longest wait of a Vpc',
        answers: 'How long does it wait?',
        type: 'stat',
        width: 6,
        unit: 's',
        limits: [[3600, 'yellow']],
        queries: [
          {
            expr: `max(${series('steward_executor_waiting_vpc_deletion_age_seconds')})`,
            legend: 'longest',
          },
        ],
      },
      {
        title: 'Pods held',
        answers: 'How many pods wait for their subnet?',
        type: 'stat',
        width: 6,
        queries: [{ expr: `sum(${series('steward_executor_held_pods')})`, legend: 'held' }],
      },
      {
        title: 'Longest wait of a pod',
        answers: 'How long does it wait?',
        type: 'stat',
        width: 6,
        unit: 's',
        limits: [[900, 'yellow']],
        queries: [
          {
            expr: `max(${series('steward_executor_held_pod_age_seconds')})`,
            legend: 'longest',
          },
        ],
      },
      {
        title: 'What the guards did',
        answers: 'Do the guards hold and release?',
        type: 'timeseries',
        width: 12,
        queries: [
          {
            expr: `sum by (did) (${increase('steward_executor_guard_finalizers_total')})`,
            legend: 'finalizer {{did}}',
          },
          {
            expr: `sum by (did) (${increase('steward_executor_pod_gates_total')})`,
            legend: 'pod gate {{did}}',
          },
        ],
        empty: NONE,
      },
      {
        title: 'Requests that our policies refused',
        answers: 'Does somebody try what the guards forbid?',
        type: 'timeseries',
        width: 12,
        queries: [
          {
            expr: `max by (policy) (${series('steward_executor_guard_denials')})`,
            legend: '{{policy}}',
          },
        ],
        empty: 'the metrics of the API server are not read',
      },
    ],
  },
];
