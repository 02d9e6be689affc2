import { ActionState } from '@ovn-steward/contracts/actions/action';
import { FindingClass, FindingState, Severity } from '@ovn-steward/contracts/findings/finding';
import { createMeter } from '@ovn-steward/service/meter/meter';
import { DEFINED_SERIES } from '../series/defined-series';

/** What labels can be whose values queries name; others are `x`. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  state: [...new Set([...ActionState.options, ...FindingState.options, 'paired'])],
  class: FindingClass.options,
  severity: Severity.options,
  quantile: ['1'],
};

/**
 * Every series there is with the value 1, as `/metrics` writes it. `process`: also those of a Node
 * process.
 */
export function sampleOfSeries({ process = false } = {}): Promise<string> {
  const meter = createMeter([...DEFINED_SERIES.values()], { process });
  for (const definition of DEFINED_SERIES.values())
    for (const labels of combinations(definition.labels)) {
      if (definition.type === 'counter') meter.inc(definition, labels);
      else if (definition.type === 'gauge') meter.set(definition, labels, 1);
      else meter.observe(definition, labels, 1);
    }
  return meter.text();
}

const combinations = (names: readonly string[]): Record<string, string>[] =>
  names.reduce<Record<string, string>[]>(
    (all, name) =>
      all.flatMap((it) => (VALUES[name] ?? ['x']).map((value) => ({ ...it, [name]: value }))),
    [{}],
  );
