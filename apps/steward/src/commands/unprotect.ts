import type { Command } from 'commander';
import { keepNoMoreCommand } from './keep';

/** `steward unprotect`: ends a protection of exactly the same selector. */
export const unprotectCommand = (program: Command, done: (code: number) => void): void =>
  keepNoMoreCommand(program, done, 'protect', 'end the protection of exactly this selector');
