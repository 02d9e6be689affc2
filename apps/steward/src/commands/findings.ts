import type { Command } from 'commander';
import { listFindings, type ListOptions, watchFindings, withFindingsList } from './list-findings';

/** `steward findings`: what a running or stopped pipeline, the services on Kafka, or a server know. */
export function findingsCommand(program: Command, done: (code: number) => void): void {
  withFindingsList(
    program
      .command('findings [findings...]')
      .description('list the findings of a pipeline from its state directory, Kafka, or a server'),
  )
    .option('-w, --watch', 'list again and again until interrupted')
    .action(async (ids: readonly string[], options: ListOptions) => {
      const list = options.watch ? watchFindings : listFindings;
      done(await list({ ...options, ids }));
    });
}
