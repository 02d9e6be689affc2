import type { Command } from 'commander';
import { guardGatesCommand } from './guard-gates';
import { guardInstallCommand } from './guard-install';
import { guardRemoveCommand } from './guard-remove';
import { guardRunCommand } from './guard-run';
import { guardStatusCommand } from './guard-status';

/**
 * `steward guard`: what prevents damage instead of mending it; policies of the API server, and a
 * finalizer on Vpcs.
 */
export function guardCommand(program: Command, done: (code: number) => void): void {
  const command = program
    .command('guard')
    .description(
      'install, inspect and remove guards: policies and finalizers with which the cluster refuses harmful requests',
    );
  for (const sub of [
    guardInstallCommand,
    guardStatusCommand,
    guardRemoveCommand,
    guardRunCommand,
    guardGatesCommand,
  ])
    sub(command, done);
}
