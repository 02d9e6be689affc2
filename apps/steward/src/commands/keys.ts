import type { Command } from 'commander';
import { keysGenerate } from './keys-generate';
import { keysList } from './keys-list';

/** `steward keys`: manage the keys that sign decisions and actions on Kafka. */
export function keysCommand(program: Command, done: (code: number) => void): void {
  const keys = program
    .command('keys')
    .description('manage the keys that sign decisions and actions on Kafka');
  keysGenerate(keys, done);
  keysList(keys, done);
}
