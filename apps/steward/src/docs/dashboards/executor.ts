import type { Dashboard } from '../grafana/dashboard';
import { increase, series } from '../grafana/series';
import { EXECUTOR_SAFETY } from './sections/executor-safety';

const decisions = (...matchers: readonly string[]): string =>
  increase('steward_executor_actions_total', 'rule=~"$rule"', ...matchers);
const NONE = 'none since the executor began';

export const executorDashboard: Dashboard = {
  name: 'executor',
  title: 'Executor',
  purpose: 'What is removed, what is refused and why, and what keeps the executor from removing.',
  variables: [
    { name: 'job', of: 'steward_build_info' },
    { name: 'cluster', of: 'steward_findings' },
    { name: 'rule', of: 'steward_findings' },
  ],
  sections: [
    {
      title: 'Now',
      panels: [
        {
          title: 'Proposals',
          answers: 'How many confirmed findings could be removed?',
          type: 'stat',
          width: 3,
          queries: [
            {
              expr: `sum(${series('steward_executor_proposals', 'rule=~"$rule"')})`,
              legend: 'proposals',
            },
          ],
          empty: 'no confirmed finding has a remedy',
        },
        {
          title: 'Holds by scope',
          answers: 'What have people stopped?',
          type: 'stat',
          width: 6,
          limits: [[1, 'yellow']],
          queries: [
            { expr: `sum by (scope) (${series('steward_executor_holds')})`, legend: '{{scope}}' },
          ],
        },
        {
          title: 'Kept by people',
          answers: 'What do people keep from removal?',
          type: 'stat',
          width: 4,
          queries: [
            { expr: `sum by (kind) (${series('steward_executor_kept')})`, legend: '{{kind}}' },
          ],
        },
        {
          title: 'Open claims',
          answers: 'How many removals are under way?',
          type: 'stat',
          width: 3,
          queries: [
            { expr: `sum(${series('steward_executor_open_claims')})`, legend: 'open' },
            { expr: `sum(${series('steward_executor_unsettled_claims')})`, legend: 'unsettled' },
          ],
        },
        {
          title: 'Oldest unsettled claim',
          answers: 'For how long has it not been known how a removal ended?',
          type: 'stat',
          width: 4,
          unit: 's',
          limits: [[900, 'yellow']],
          queries: [
            {
              expr: `max(${series('steward_executor_unsettled_claim_age_seconds')})`,
              legend: 'oldest',
            },
          ],
        },
        {
          title: 'Records not in the log',
          answers: 'How many records of the ledger wait for the log? Nothing is removed meanwhile.',
          type: 'stat',
          width: 4,
          limits: [[1, 'yellow']],
          queries: [{ expr: `sum(${series('steward_executor_outbox')})`, legend: 'waiting' }],
        },
      ],
    },
    {
      title: 'Decisions',
      panels: [
        {
          title: 'Decisions by outcome',
          answers: 'What becomes of findings?',
          type: 'timeseries',
          width: 12,
          queries: [{ expr: `sum by (state) (${decisions()})`, legend: '{{state}}' }],
          empty: NONE,
        },
        {
          title: 'Removed by action',
          answers: 'What is removed?',
          type: 'timeseries',
          width: 12,
          queries: [
            { expr: `sum by (action) (${decisions('state="done"')})`, legend: '{{action}}' },
          ],
          empty: NONE,
        },
        {
          title: 'Refused and failed by code',
          answers: 'Why is something not removed? docs/actions-contract.md explains the codes.',
          type: 'timeseries',
          width: 12,
          queries: [
            {
              expr: `sum by (state, code) (${decisions('state=~"refused|failed"')})`,
              legend: '{{state}} {{code}}',
            },
          ],
          empty: NONE,
        },
        {
          title: 'Deferred by code',
          answers: 'What does the executor wait for?',
          type: 'timeseries',
          width: 12,
          queries: [
            { expr: `sum by (code) (${decisions('state="deferred"')})`, legend: '{{code}}' },
          ],
          empty: NONE,
        },
        {
          title: 'Plans given up over a ceiling',
          answers: 'Would a plan have removed more than the ceilings allow?',
          type: 'timeseries',
          width: 12,
          queries: [
            {
              expr: `sum by (scope) (${increase('steward_executor_aborted_plans_total')})`,
              legend: '{{scope}}',
            },
          ],
          empty: NONE,
        },
        {
          title: 'Undone',
          answers: 'What was put back, and why?',
          type: 'timeseries',
          width: 12,
          queries: [
            {
              expr: `sum by (code) (${increase('steward_executor_undos_total')})`,
              legend: '{{code}}',
            },
          ],
          empty: NONE,
        },
        {
          title: 'Yielded',
          answers: 'For which rules does somebody else remove the same?',
          type: 'timeseries',
          width: 12,
          queries: [
            {
              expr: `sum by (rule) (${increase('steward_executor_yielded_total')})`,
              legend: '{{rule}}',
            },
          ],
          empty: NONE,
        },
        {
          title: 'Duration of removals, 99 of 100',
          answers: 'How long does a removal take until its result is verified?',
          type: 'timeseries',
          width: 12,
          unit: 's',
          queries: [
            {
              expr: `histogram_quantile(0.99, sum by (action, le) (rate(${series('steward_executor_effect_duration_seconds_bucket')}[$__rate_interval])))`,
              legend: '{{action}}',
            },
          ],
          empty: NONE,
        },
      ],
    },
    ...EXECUTOR_SAFETY,
  ],
};
