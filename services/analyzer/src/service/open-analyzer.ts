import { join } from 'node:path';
import { userProtection } from '@ovn-steward/judgement/protection';
import { ruleSwitches } from '@ovn-steward/judgement/switches';
import type { Score } from '@ovn-steward/judgement/score/score';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import { Analyzer } from '../partition/analyzer';
import type { AnalyzerOptions } from '../partition/analyzer-options';
import { Checkpoint } from '../store/checkpoint';
import { Scorecards } from './scorecards';

export interface OpenAnalyzerOptions extends Omit<
  AnalyzerOptions,
  'grace' | 'switches' | 'isProtected' | 'uninstalled' | 'openCheckpoint' | 'onApplied'
> {
  readonly settings: Pick<Settings, 'stateDir' | 'grace' | 'rules' | 'protect' | 'uninstalled'>;
  /** The name of the file in the state directory that keeps a partition. */
  readonly checkpointFile: (partition: number) => string;
}

/** It also grades Kube-OVN's own collection, by what it sees of it. */
export class GradingAnalyzer extends Analyzer {
  readonly #scorecards: Scorecards;

  constructor(options: Omit<AnalyzerOptions, 'onApplied'>, scorecards: Scorecards) {
    super({ ...options, onApplied: (engine, applied) => scorecards.observe(engine, applied) });
    this.#scorecards = scorecards;
  }

  /** Of that cluster since this process judges it; undefined before. */
  score(cluster: string): Score | undefined {
    const picture = this.picture(cluster);
    return picture && this.#scorecards.score(picture);
  }
}

/**
 * An analyzer as the settings want it, in a service and in `steward run` alike. It reads nothing
 * before it is run.
 */
export function openAnalyzer({
  settings: { stateDir, grace, rules, protect, uninstalled },
  checkpointFile,
  ...options
}: OpenAnalyzerOptions): GradingAnalyzer {
  const switches = ruleSwitches(rules);
  const scorecards = new Scorecards((it) => switches.graceOf(it) ?? grace[it.class]);
  return new GradingAnalyzer(
    {
      ...options,
      grace,
      switches,
      uninstalled,
      isProtected: userProtection(protect),
      openCheckpoint: (partition) =>
        new Checkpoint(join(stateDir, checkpointFile(partition)), partition),
    },
    scorecards,
  );
}
