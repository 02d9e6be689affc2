import type { Command } from 'commander';
import { streamCheckCommand } from './stream-check';
import { streamReplayCommand } from './stream-replay';

/**
 * `steward stream`: for who writes a reader of findings: a stream with everything in it, and
 * whether its table is right.
 */
export function streamCommand(program: Command, done: (code: number) => void): void {
  const command = program
    .command('stream')
    .description('test a consumer of findings: replay a stream to Kafka, and check its table');
  for (const sub of [streamReplayCommand, streamCheckCommand]) sub(command, done);
}
