// Prometheus' answers as Grafana's data frames, with the settings that a panel has for them.
/* global Grafana, structuredClone */
const { FieldType, getDisplayProcessor, getFieldDisplayName, toDataFrame } = Grafana;

const named = (format, labels) =>
  format.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, name) => labels[name] ?? '');

/** One frame for each line, or for each query of a table. */
export const framesOf = (panel, answers) =>
  panel.targets.flatMap((target, index) =>
    target.format === 'table'
      ? tableOf(target, answers[index], panel.targets.length > 1)
      : answers[index].map((it) => lineOf(target, it)),
  );

function tableOf({ refId }, rows, many) {
  if (rows.length === 0) return [];
  const labels = [...new Set(rows.flatMap(({ metric }) => Object.keys(metric)))].sort();
  return toDataFrame({
    refId,
    fields: [
      { name: 'Time', type: FieldType.time, values: rows.map((it) => it.value[0] * 1000) },
      ...labels.map((name) => ({
        name,
        type: FieldType.string,
        values: rows.map((it) => it.metric[name] ?? ''),
      })),
      {
        name: many ? `Value #${refId}` : 'Value',
        type: FieldType.number,
        values: rows.map((it) => Number(it.value[1])),
      },
    ],
  });
}

/** As Grafana's panel has it: what is no number is a gap. */
const finite = (value) => (Number.isFinite(Number(value)) ? Number(value) : null);

function lineOf({ refId, legendFormat }, { metric, value, values = [value] }) {
  const name = named(legendFormat, metric);
  return toDataFrame({
    refId,
    name,
    fields: [
      { name: 'Time', type: FieldType.time, values: values.map(([time]) => time * 1000) },
      {
        name: 'Value',
        type: FieldType.number,
        labels: metric,
        values: values.map(([, it]) => finite(it)),
        config: { displayNameFromDS: name },
      },
    ],
  });
}

/** The frames with what the panel says of units, limits and colours. */
export function configured(panel, frames, theme) {
  let seriesIndex = 0;
  for (const frame of frames)
    for (const field of frame.fields) {
      if (field.type !== FieldType.time) {
        const name = getFieldDisplayName(field, frame, frames);
        field.config = { ...configOf(panel.fieldConfig, name), ...field.config };
        if (field.type === FieldType.number) field.state = { seriesIndex: seriesIndex++ };
      }
      field.display = getDisplayProcessor({ field, theme });
    }
  return frames;
}

/** JSON has no infinity; Grafana writes null. */
const stepsOf = ({ mode, steps }) => ({
  mode,
  steps: steps.map((it) => ({ ...it, value: it.value ?? -Infinity })),
});

function configOf({ defaults, overrides }, name) {
  const config = structuredClone(defaults);
  for (const { matcher, properties } of overrides ?? []) {
    if (matcher.id !== 'byName') throw new Error(`no override by ${matcher.id} is known here`);
    if (matcher.options !== name) continue;
    for (const { id, value } of properties) {
      const path = id.split('.');
      const last = path.pop();
      path.reduce((at, key) => (at[key] ??= {}), config)[last] = value;
    }
  }
  if (config.thresholds) config.thresholds = stepsOf(config.thresholds);
  return config;
}
