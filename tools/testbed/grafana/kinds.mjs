// The kinds of panels that our dashboards have, each drawn by Grafana's own component.
/* global Grafana */
import { configured, framesOf } from './frames.mjs';

const { BigValue, createElement, firstValueFrom, getFieldDisplayValues } = Grafana;
const { Table, TimeSeries, transformDataFrame, useEffect, useState, VizRepeater } = Grafana;
const asItIs = (text) => text;

const nothing = (panel) => panel.fieldConfig.defaults.noValue ?? 'No data';
const Nothing = ({ panel, theme }) =>
  createElement('div', { className: 'nothing', style: { color: theme.colors.text.secondary } }, [
    nothing(panel),
  ]);

function Stat({ panel, answers, theme, width, height }) {
  const { options } = panel;
  const frames = configured(panel, framesOf(panel, answers), theme);
  const empty = { text: nothing(panel), numeric: NaN, color: theme.colors.text.primary };
  const values = getFieldDisplayValues({
    fieldConfig: panel.fieldConfig,
    reduceOptions: options.reduceOptions,
    replaceVariables: asItIs,
    theme,
    data: frames,
    sparkline: options.graphMode !== 'none',
    timeZone: 'utc',
  });
  const shown = frames.length === 0 ? [{ display: empty }] : values;
  const longest = (of) =>
    shown.map(({ display }) => display[of] ?? '').sort((a, b) => b.length - a.length)[0];
  return createElement(VizRepeater, {
    ...{ width, height, source: frames, renderCounter: 0, itemSpacing: 3, autoGrid: true },
    orientation: options.orientation,
    getValues: () => shown,
    getAlignmentFactors: () => ({ title: longest('title'), text: longest('text') }),
    renderValue: ({ value, alignmentFactors, ...size }) =>
      createElement(BigValue, {
        ...{ theme, alignmentFactors, width: size.width, height: size.height },
        count: shown.length,
        value: value.display,
        sparkline: value.sparkline,
        colorMode: options.colorMode,
        graphMode: frames.length === 0 ? 'none' : options.graphMode,
        justifyMode: options.justifyMode,
        textMode: options.textMode === 'auto' && shown.length === 1 ? 'value' : options.textMode,
        wideLayout: true,
      }),
  });
}

function Lines({ panel, answers, theme, width, height, timeRange }) {
  const frames = configured(panel, framesOf(panel, answers), theme);
  if (frames.length === 0) return createElement(Nothing, { panel, theme });
  return createElement(
    TimeSeries,
    {
      ...{ frames, timeRange, width, height, structureRev: 1, timeZone: 'utc' },
      legend: panel.options.legend,
      options: panel.options,
      replaceVariables: asItIs,
    },
    () => null,
  );
}

function Rows({ panel, answers, theme, width, height, timeRange }) {
  const [frame, setFrame] = useState(undefined);
  useEffect(() => {
    const frames = framesOf(panel, answers);
    const context = { interpolate: asItIs };
    void firstValueFrom(transformDataFrame(panel.transformations ?? [], frames, context)).then(
      (it) => setFrame(configured(panel, it, theme)[0] ?? null),
    );
  }, []);
  if (frame === undefined) return null;
  if (frame === null) return createElement(Nothing, { panel, theme });
  const { cellHeight } = panel.options;
  return createElement(Table, { data: frame, width, height, timeRange, cellHeight });
}

export const KINDS = { stat: Stat, timeseries: Lines, table: Rows };
