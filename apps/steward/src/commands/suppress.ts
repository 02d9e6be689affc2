import type { Command } from 'commander';
import { keepCommand } from './keep';

/** `steward suppress`: findings are known, and neither open nor acted on. */
export const suppressCommand = (program: Command, done: (code: number) => void): void =>
  keepCommand(
    program,
    done,
    'suppress',
    'mark findings as suppressed: known, not open, and not acted on',
  );
