import type { Command } from 'commander';

/** Adds some options that belong together to a command, and gives it back. */
type Options = (command: Command) => Command;

/** The command with all of these options; its help lists them in this order. */
export const withOptions = (command: Command, ...groups: readonly Options[]): Command =>
  groups.reduce((it, add) => add(it), command);
