import { join } from 'node:path';
import { userProtection } from '@ovn-steward/judgement/protection';
import { ruleSwitches } from '@ovn-steward/judgement/switches';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import { type Analyzer, type AnalyzerOptions, createAnalyzer } from '../partition/analyze';
import { Checkpoint } from '../store/checkpoint';

export interface OpenAnalyzerOptions extends Omit<
  AnalyzerOptions,
  'grace' | 'switches' | 'isProtected' | 'uninstalled' | 'openCheckpoint'
> {
  readonly settings: Pick<Settings, 'stateDir' | 'grace' | 'rules' | 'protect' | 'uninstalled'>;
  /** The name of the file in the state directory that keeps a partition. */
  readonly checkpointFile: (partition: number) => string;
}

/** An analyzer as the settings want it, in a service and in `steward run` alike. It reads nothing before it is run. */
export function openAnalyzer({
  settings: { stateDir, grace, rules, protect, uninstalled },
  checkpointFile,
  ...options
}: OpenAnalyzerOptions): Analyzer {
  return createAnalyzer({
    ...options,
    grace,
    switches: ruleSwitches(rules),
    uninstalled,
    isProtected: userProtection(protect),
    openCheckpoint: (partition) =>
      new Checkpoint(join(stateDir, checkpointFile(partition)), partition),
  });
}
