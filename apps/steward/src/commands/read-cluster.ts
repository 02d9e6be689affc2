import type { Engine } from '@ovn-steward/judgement/engine/engine';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import { startProgress } from '../output/progress';
import type { InputOptions } from '../inputs/options';
import { readWorld } from '../inputs/read-world';
import { inputsFrom, unreachableAfter } from '../inputs/sources';

/**
 * One read of a database and a cluster, live or recorded, with its progress on a terminal.
 * @param timeout how long to wait for live sources, in seconds.
 * @throws Failure as `inputsFrom` and `readWorld` do.
 */
export async function readCluster(
  options: InputOptions,
  config: Settings,
  timeout: number,
): Promise<Engine> {
  const progress = startProgress('read');
  const inputs = inputsFrom(options, config, {
    report: progress.report,
    unreachableAfterMs: unreachableAfter(timeout),
  });
  return readWorld(inputs, config, {
    timeoutMs: timeout * 1000,
    onProgress: progress.update,
  }).finally(progress.end);
}
