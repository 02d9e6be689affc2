import type { DashboardPanel, PanelQuery } from './dashboard';
import type { GridPosition } from './layout';

/** The one that the variable chooses. */
export const DATASOURCE = { type: 'prometheus', uid: '${datasource}' } as const;

const YES_NO = [
  {
    type: 'value',
    options: {
      '0': { text: 'no', color: 'red', index: 0 },
      '1': { text: 'yes', color: 'green', index: 1 },
    },
  },
];

export const panelJson = (panel: DashboardPanel, id: number, gridPos: GridPosition) => ({
  id,
  type: panel.type,
  title: panel.title,
  description: panel.answers,
  gridPos,
  datasource: DATASOURCE,
  targets: panel.queries.map((query, index) => target(panel, query, refIdOf(index))),
  fieldConfig: {
    defaults: {
      unit: panel.unit ?? 'short',
      ...(panel.empty !== undefined && { noValue: panel.empty }),
      mappings: panel.yesNo ? YES_NO : [],
      color: { mode: panel.type === 'timeseries' ? 'palette-classic' : 'thresholds' },
      thresholds: thresholds(panel),
      ...(panel.type === 'timeseries' && { min: 0, custom: LINES }),
    },
    overrides: panel.type === 'table' ? panel.queries.flatMap(columnUnit) : [],
  },
  options: OPTIONS[panel.type],
  ...(panel.type === 'table' && { transformations: columns(panel) }),
});

const refIdOf = (index: number): string => String.fromCharCode('A'.charCodeAt(0) + index);

const target = ({ type }: DashboardPanel, { expr, legend }: PanelQuery, refId: string) => ({
  refId,
  datasource: DATASOURCE,
  editorMode: 'code',
  expr,
  legendFormat: legend,
  range: type === 'timeseries',
  instant: type !== 'timeseries',
  ...(type === 'table' && { format: 'table' }),
});

const thresholds = ({ limits = [] }: DashboardPanel) => ({
  mode: 'absolute',
  steps: [{ color: 'green', value: null }, ...limits.map(([value, color]) => ({ color, value }))],
});

const LINES = {
  drawStyle: 'line',
  lineInterpolation: 'linear',
  lineWidth: 1,
  fillOpacity: 10,
  showPoints: 'never',
  spanNulls: false,
};

const OPTIONS = {
  stat: {
    reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false },
    colorMode: 'value',
    graphMode: 'none',
    justifyMode: 'auto',
    orientation: 'auto',
    textMode: 'auto',
    wideLayout: true,
    showPercentChange: false,
  },
  timeseries: {
    legend: { displayMode: 'list', placement: 'bottom', showLegend: true, calcs: [] },
    tooltip: { mode: 'multi', sort: 'desc' },
  },
  table: { frameIndex: 0, showHeader: true, cellHeight: 'sm' },
} as const;

const columnUnit = ({ legend, unit }: PanelQuery) =>
  unit === undefined
    ? []
    : [
        {
          matcher: { id: 'byName', options: legend },
          properties: [{ id: 'unit', value: unit }],
        },
      ];

/**
 * One row for each set of labels, one column for each query; Grafana calls it `Value` where there
 * is only one.
 */
const columns = ({ queries }: DashboardPanel) => [
  { id: 'merge', options: {} },
  {
    id: 'organize',
    options: {
      excludeByName: { Time: true },
      indexByName: {},
      renameByName: Object.fromEntries(
        queries.map(({ legend }, index) => [
          queries.length === 1 ? 'Value' : `Value #${refIdOf(index)}`,
          legend,
        ]),
      ),
    },
  },
];
