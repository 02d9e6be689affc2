import type { Command } from 'commander';
import { keysGenerate } from './keys-generate';
import { keysList } from './keys-list';

/** `steward keys`: the keys by which decisions and actions on Kafka are believed. */
export function keysCommand(program: Command, done: (code: number) => void): void {
  const keys = program
    .command('keys')
    .description('the keys by which decisions and actions on Kafka are believed');
  keysGenerate(keys, done);
  keysList(keys, done);
}
