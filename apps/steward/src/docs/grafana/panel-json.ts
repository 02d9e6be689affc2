import type { DashboardPanel, PanelQuery, PanelUnit } from './dashboard';
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
      ...(panel.type === 'timeseries' && { min: 0, custom: { ...LINES, ...axisOf(panel) } }),
      ...(panel.type === 'table' && { custom: { minWidth: 60 } }),
    },
    overrides: [
      ...(panel.type === 'table' ? panel.queries.map(column) : []),
      ...(panel.bySeverity ? SEVERITY_COLORS : []),
    ],
  },
  options: panel.manyLines ? MANY_LINES : OPTIONS[panel.type],
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

/** What is 0 all the time would have an axis to 100. */
const SOFT_MAX: Partial<Record<PanelUnit, number>> = { short: 1, cps: 0.1 };
const axisOf = ({ unit = 'short' }: DashboardPanel) =>
  SOFT_MAX[unit] === undefined ? {} : { axisSoftMax: SOFT_MAX[unit] };

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

const MANY_LINES = {
  ...OPTIONS.timeseries,
  legend: { ...OPTIONS.timeseries.legend, placement: 'right' },
};

const SEVERITY_COLORS = [
  ['critical', 'red'],
  ['warning', 'orange'],
  ['info', 'blue'],
].map(([severity, color]) => ({
  matcher: { id: 'byName', options: severity },
  properties: [{ id: 'color', value: { mode: 'fixed', fixedColor: color } }],
}));

/** As wide as its head, so that the names before it have the rest. */
const column = ({ legend, unit, yesNo }: PanelQuery) => ({
  matcher: { id: 'byName', options: legend },
  properties: [
    { id: 'custom.width', value: Math.max(56, 8 * legend.length + 24) },
    ...(unit === undefined ? [] : [{ id: 'unit', value: unit }]),
    ...(yesNo ? [{ id: 'mappings', value: YES_NO }] : []),
  ],
});

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
