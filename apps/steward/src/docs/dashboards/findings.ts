import { type Dashboard, ONLY_SERVICES } from '../grafana/dashboard';
import { series } from '../grafana/series';

const RULE = 'rule=~"$rule"';
const matching = (...matchers: readonly string[]): string =>
  series('steward_findings', RULE, ...matchers);
const inState = (state: string): string =>
  `sum by (cluster, rule, class, severity) (${matching(`state="${state}"`)})`;

export const findingsDashboard: Dashboard = {
  name: 'findings',
  title: 'Findings',
  purpose: 'What is wrong, by rule, class and severity, and what cannot be judged.',
  variables: [
    { name: 'job', of: 'steward_build_info' },
    { name: 'cluster', of: 'steward_findings' },
    { name: 'rule', of: 'steward_findings' },
  ],
  sections: [
    {
      title: 'Open findings',
      panels: [
        ...(['critical', 'warning', 'info'] as const).map((severity) => ({
          title: `Confirmed, ${severity}`,
          answers: `How many confirmed findings are of severity ${severity}?`,
          type: 'stat' as const,
          width: 4,
          limits: [[1, severity === 'critical' ? ('red' as const) : ('yellow' as const)] as const],
          queries: [
            {
              expr: `sum(${matching('state="confirmed"', `severity="${severity}"`)})`,
              legend: severity,
            },
          ] as const,
        })),
        {
          title: 'Suspected',
          answers: 'How many wait for their grace, or to be seen again?',
          type: 'stat',
          width: 6,
          queries: [{ expr: `sum(${matching('state="suspected"')})`, legend: 'suspected' }],
        },
        {
          title: 'Suppressed',
          answers: 'How many are there that a person or a setting says are known?',
          type: 'stat',
          width: 6,
          queries: [{ expr: `sum(${matching('state="suppressed"')})`, legend: 'suppressed' }],
        },
        {
          title: 'By rule',
          answers: 'Which rules find something, and in which state are the findings?',
          type: 'table',
          width: 24,
          queries: [
            { expr: `${inState('confirmed')} > 0`, legend: 'confirmed' },
            { expr: `${inState('suspected')} > 0`, legend: 'suspected' },
            { expr: `${inState('suppressed')} > 0`, legend: 'suppressed' },
          ],
          empty: 'no rule finds anything',
        },
      ],
    },
    {
      title: 'Over time',
      panels: [
        {
          title: 'Confirmed by rule',
          answers: 'Which rule finds more than before?',
          type: 'timeseries',
          manyLines: true,
          width: 12,
          queries: [
            {
              expr: `sum by (rule) (${matching('state="confirmed"')}) > 0`,
              legend: '{{rule}}',
            },
          ],
          empty: 'no rule finds anything',
        },
        {
          title: 'By state',
          answers: 'Are suspicions confirmed, or do they pass?',
          type: 'timeseries',
          width: 12,
          queries: [{ expr: `sum by (state) (${matching()})`, legend: '{{state}}' }],
        },
        {
          title: 'Leaks',
          answers: 'Do leaks grow, and by which rule?',
          type: 'timeseries',
          width: 12,
          queries: [
            {
              expr: `sum by (rule) (${matching('class="leak"', 'state="confirmed"')})`,
              legend: '{{rule}}',
            },
          ],
        },
        {
          title: 'Causes by class',
          answers: 'How many different faults are behind the findings?',
          type: 'timeseries',
          width: 12,
          queries: [
            {
              expr: `sum by (class) (${series('steward_finding_causes')})`,
              legend: '{{class}}',
            },
          ],
        },
        {
          title: 'Published findings',
          answers: 'How many revisions of findings are written to Kafka? Services only.',
          type: 'timeseries',
          width: 24,
          unit: 'cps',
          queries: [
            {
              expr: `sum by (state) (rate(${series('steward_analyzer_findings_published_total')}[$__rate_interval]))`,
              legend: '{{state}}',
            },
          ],
          empty: ONLY_SERVICES,
        },
      ],
    },
    {
      title: 'What is not known',
      panels: [
        {
          title: 'Withheld rules',
          answers: 'How many rules say nothing because a kind they need is not completely known?',
          type: 'stat',
          width: 6,
          limits: [[1, 'yellow']],
          queries: [{ expr: `sum(${series('steward_rule_withheld', RULE)})`, legend: 'withheld' }],
        },
        {
          title: 'Unknown by rule',
          answers: 'What can rules not judge now?',
          type: 'timeseries',
          width: 18,
          queries: [
            {
              expr: `sum by (rule) (${series('steward_unknowns', RULE)}) > 0`,
              legend: '{{rule}}',
            },
          ],
          empty: 'nothing unknown',
        },
      ],
    },
  ],
};
