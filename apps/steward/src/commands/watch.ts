import type { Command } from 'commander';
import { listFindings, type ListOptions, withFindingsList } from './list-findings';
import { withEvery } from './show-list';
import { withOptions } from '../inputs/with-options';

/** `steward watch`: the list of findings, drawn again as they change. */
export function watchCommand(program: Command, done: (code: number) => void): void {
  withOptions(
    program
      .command('watch [findings...]')
      .description(
        'watch the findings of a pipeline, of services on Kafka, or of a server, until interrupted',
      ),
    withFindingsList,
    withEvery,
  ).action(async (ids: readonly string[], options: ListOptions) =>
    done(await listFindings({ ...options, ids, watch: true })),
  );
}
