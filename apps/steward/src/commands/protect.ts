import type { Command } from 'commander';
import { keepCommand } from './keep';

/** `steward protect`: findings are reported, and never acted on. */
export const protectCommand = (program: Command, done: (code: number) => void): void =>
  keepCommand(
    program,
    done,
    'protect',
    'never act on findings, even if approved; they are still reported',
  );
