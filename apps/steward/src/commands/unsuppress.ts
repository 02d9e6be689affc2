import type { Command } from 'commander';
import { keepNoMoreCommand } from './keep';

/** `steward unsuppress`: ends a suppression of exactly the same selector. */
export const unsuppressCommand = (program: Command, done: (code: number) => void): void =>
  keepNoMoreCommand(
    program,
    done,
    'suppress',
    'end the suppression of exactly this selector; its findings are open again',
  );
