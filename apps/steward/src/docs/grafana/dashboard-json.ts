import type { Dashboard, DashboardVariable } from './dashboard';
import { layout } from './layout';
import { DATASOURCE, panelJson } from './panel-json';

const TAG = 'ovn-steward';

/**
 * A dashboard as Grafana 10 and later import it: the classic JSON model, schema version 39, which
 * later versions migrate.
 */
export const dashboardJson = ({ name, title, purpose, variables, sections }: Dashboard) => ({
  uid: `ovn-steward-${name}`,
  title: `ovn-steward / ${title}`,
  description: purpose,
  tags: [TAG],
  schemaVersion: 39,
  editable: true,
  graphTooltip: 1, // one crosshair in all panels
  refresh: '1m',
  time: { from: 'now-6h', to: 'now' },
  timezone: '',
  links: [
    {
      type: 'dashboards',
      title: 'ovn-steward',
      tags: [TAG],
      asDropdown: false,
      includeVars: true,
      keepTime: true,
      targetBlank: false,
      icon: '',
      tooltip: '',
      url: '',
    },
  ],
  annotations: { list: [] },
  templating: { list: [datasource, ...variables.map(variableJson)] },
  panels: layout(sections).map((placed, index) =>
    'panel' in placed
      ? panelJson(placed.panel, index + 1, placed.at)
      : {
          id: index + 1,
          type: 'row',
          title: placed.heading,
          collapsed: false,
          gridPos: placed.at,
          panels: [],
        },
  ),
});

const datasource = {
  name: 'datasource',
  label: 'Prometheus',
  type: 'datasource',
  query: 'prometheus',
  hide: 0,
  refresh: 1,
  multi: false,
  includeAll: false,
  options: [],
};

/** The values are those of the series of the chosen jobs. */
const variableJson = ({ name, of }: DashboardVariable) => ({
  name,
  label: name,
  type: 'query',
  datasource: DATASOURCE,
  definition: valuesQuery({ name, of }),
  query: { query: valuesQuery({ name, of }), refId: name },
  refresh: 2, // when the time range changes
  sort: 1,
  hide: 0,
  multi: true,
  includeAll: true,
  allValue: '.*', // also matches series without the label
  current: { text: ['All'], value: ['$__all'] },
  options: [],
});

const valuesQuery = ({ name, of }: DashboardVariable): string =>
  `label_values(${of}${name === 'job' ? '' : '{job=~"$job"}'}, ${name})`;
