import type { createEngine } from '@ovn-steward/judgement/create-engine';
import { suppressionOf } from '@ovn-steward/judgement/engine/suppression';
import type { Keeping } from '@ovn-steward/contracts/control/keeping';
import type { RuleSwitches } from '@ovn-steward/judgement/switches';

type EngineOptions = Parameters<typeof createEngine>[0];

interface Given extends Omit<EngineOptions, 'cluster' | 'graceOf' | 'suppressedBy'> {
  readonly switches?: RuleSwitches;
  readonly suppressions?: (cluster: string) => Iterable<Keeping> | undefined;
  readonly clock: () => Date;
}

/** What people suppressed comes before what the settings switch off: it says more. */
export function engineOptions(cluster: string, options: Given): EngineOptions {
  const { switches, suppressions = () => [], clock } = options;
  return {
    ...options,
    cluster,
    ...(switches && { graceOf: (finding) => switches.graceOf(finding) }),
    suppressedBy: (finding) => {
      const keepings = suppressions(cluster);
      const off = switches?.surelyOff(finding);
      if (keepings === undefined) return off ?? 'unknown';
      return suppressionOf(finding, keepings, clock().getTime()) ?? off;
    },
  };
}
