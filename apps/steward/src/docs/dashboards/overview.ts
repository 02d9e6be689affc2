import type { Dashboard } from '../grafana/dashboard';
import { series } from '../grafana/series';

const confirmed = (...matchers: readonly string[]): string =>
  series('steward_findings', 'state="confirmed"', ...matchers);

export const overviewDashboard: Dashboard = {
  name: 'overview',
  title: 'Overview',
  purpose: 'Whether the network is healthy, and whether ovn-steward knows it.',
  variables: [
    { name: 'job', of: 'steward_build_info' },
    { name: 'cluster', of: 'steward_findings' },
  ],
  sections: [
    {
      title: 'The network',
      panels: [
        {
          title: 'Critical findings',
          answers: 'Does traffic fail now?',
          type: 'stat',
          width: 4,
          limits: [[1, 'red']],
          queries: [{ expr: `sum(${confirmed('severity="critical"')})`, legend: 'critical' }],
        },
        {
          title: 'Confirmed findings',
          answers: 'How much is wrong in the network?',
          type: 'stat',
          width: 4,
          limits: [[1, 'yellow']],
          queries: [{ expr: `sum(${confirmed()})`, legend: 'confirmed' }],
        },
        {
          title: 'Causes',
          answers: 'How many different faults are behind the findings, suspected ones too?',
          type: 'stat',
          width: 4,
          limits: [[1, 'yellow']],
          queries: [{ expr: `sum(${series('steward_finding_causes')})`, legend: 'causes' }],
        },
        {
          title: 'Leaks',
          answers: 'How many unused objects are still there?',
          type: 'stat',
          width: 4,
          limits: [[1, 'yellow']],
          queries: [{ expr: `sum(${confirmed('class="leak"')})`, legend: 'leaks' }],
        },
        {
          title: 'Stuck deletions',
          answers: 'How many deletions do not finish?',
          type: 'stat',
          width: 4,
          limits: [[1, 'yellow']],
          queries: [{ expr: `sum(${confirmed('class="stuck"')})`, legend: 'stuck' }],
        },
        {
          title: 'Fewest free addresses',
          answers: 'How many addresses are free in the subnet that has the fewest?',
          type: 'stat',
          width: 4,
          limits: [
            [0, 'red'],
            [1, 'yellow'],
            [16, 'green'],
          ],
          queries: [
            { expr: `min(${series('steward_subnet_addresses_available')})`, legend: 'free' },
          ],
        },
        {
          title: 'Confirmed findings by severity',
          answers: 'Does it get better or worse?',
          type: 'timeseries',
          bySeverity: true,
          width: 12,
          queries: [{ expr: `sum by (severity) (${confirmed()})`, legend: '{{severity}}' }],
        },
        {
          title: 'Confirmed findings by class',
          answers: 'What sort of fault grows?',
          type: 'timeseries',
          width: 12,
          queries: [{ expr: `sum by (class) (${confirmed()})`, legend: '{{class}}' }],
        },
      ],
    },
    {
      title: 'Whether it is known',
      panels: [
        {
          title: 'Ready',
          answers:
            'Is every process of ovn-steward of use? If not, its /readyz lists what is missing.',
          type: 'stat',
          width: 6,
          yesNo: true,
          queries: [{ expr: `min by (job) (${series('steward_ready')})`, legend: '{{job}}' }],
        },
        {
          title: 'Sources complete',
          answers: 'Is every source known in full? If not, rules that need it say nothing.',
          type: 'stat',
          width: 6,
          yesNo: true,
          queries: [
            {
              expr: `min by (source) (${series('steward_source_complete')})`,
              legend: '{{source}}',
            },
          ],
        },
        {
          title: 'Kubernetes fits the Northbound',
          answers:
            'Is it proven that both are one cluster? If not, rules that compare them say nothing.',
          type: 'stat',
          width: 6,
          yesNo: true,
          queries: [
            { expr: `min(${series('steward_pairing', 'state="paired"')})`, legend: 'paired' },
          ],
        },
        {
          title: 'Age of what is known',
          answers: 'How old is the oldest knowledge of any source?',
          type: 'stat',
          width: 6,
          unit: 's',
          limits: [
            [420, 'yellow'],
            [900, 'red'],
          ],
          queries: [{ expr: `max(${series('steward_watermark_age_seconds')})`, legend: 'oldest' }],
        },
      ],
    },
    {
      title: 'What is done about it',
      panels: [
        {
          title: 'Proposals',
          answers: 'How many confirmed findings could be removed?',
          type: 'stat',
          width: 6,
          queries: [{ expr: `sum(${series('steward_executor_proposals')})`, legend: 'proposals' }],
          empty: 'no confirmed finding has a remedy',
        },
        {
          title: 'Holds',
          answers: 'Has somebody stopped removals?',
          type: 'stat',
          width: 6,
          limits: [[1, 'yellow']],
          queries: [{ expr: `sum(${series('steward_executor_holds')})`, legend: 'holds' }],
        },
        {
          title: 'Decisions of the last day',
          answers: 'What became of findings in the last day?',
          type: 'stat',
          width: 12,
          queries: [
            {
              expr: `sum by (state) (increase(${series('steward_executor_actions_total')}[1d]))`,
              legend: '{{state}}',
            },
          ],
          empty: 'no decision since the executor began',
        },
      ],
    },
  ],
};
