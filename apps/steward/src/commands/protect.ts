import type { Command } from 'commander';
import { keepCommand } from './keep';

/** `steward protect`: findings are reported, and never acted on. */
export const protectCommand = (program: Command, done: (code: number) => void): void =>
  keepCommand(
    program,
    done,
    'protect',
    'have nothing done about findings, be it approved; they are reported as before',
  );
