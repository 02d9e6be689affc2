import type { Command } from 'commander';
import { listFindings, type ListOptions, withFindingsList } from './list-findings';
import { withWatch } from './show-list';
import { withOptions } from '../inputs/with-options';

/**
 * `steward findings`: what a running or stopped pipeline, the services on Kafka, or a server know.
 */
export function findingsCommand(program: Command, done: (code: number) => void): void {
  withOptions(
    program
      .command('findings [findings...]')
      .description('list the findings of a pipeline from its state directory, Kafka, or a server'),
    withFindingsList,
    withWatch,
  ).action(async (ids: readonly string[], options: ListOptions) =>
    done(await listFindings({ ...options, ids })),
  );
}
