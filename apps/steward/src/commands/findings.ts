import type { Command } from 'commander';
import { listFindings, type ListOptions, withFindingsList } from './list-findings';
import { withWatch } from './show-list';

/**
 * `steward findings`: what a running or stopped pipeline, the services on Kafka, or a server know.
 */
export function findingsCommand(program: Command, done: (code: number) => void): void {
  withWatch(
    withFindingsList(
      program
        .command('findings [findings...]')
        .description(
          'list the findings of a pipeline from its state directory, Kafka, or a server',
        ),
    ),
  ).action(async (ids: readonly string[], options: ListOptions) =>
    done(await listFindings({ ...options, ids })),
  );
}
