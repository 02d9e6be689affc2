import type { Command } from 'commander';
import { liveSystems } from '@ovn-steward/systems/live-systems';
import { type Systems } from '@ovn-steward/systems/systems';
import { Failure } from '@ovn-steward/shared/errors';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import { isKubeconfig } from '@ovn-steward/systems/kubernetes/is-kubeconfig';
import type { InputOptions } from './options';
import { isOvsdbRemote } from '@ovn-steward/systems/ovn/is-ovsdb-remote';

/** Of commands that may act themselves: what to do when another executor has the Northbound. */
export interface TakeOverOptions {
  readonly takeOver?: boolean;
}

export const withTakeOver = (command: Command): Command =>
  command.option(
    '--take-over',
    'if this process acts itself, take the Northbound lock from a dead executor whose connection lingers',
  );

/**
 * Runs `use` on the living systems that a plan is about, and closes them whatever happens.
 * @throws Failure `config-invalid` where a recording is named instead, `input-not-found`.
 */
export async function withSystems<T>(
  { ovnNb, kubernetes, takeOver = false }: InputOptions & TakeOverOptions,
  settings: Settings,
  use: (systems: Systems) => Promise<T>,
): Promise<T> {
  if (ovnNb !== undefined && !isOvsdbRemote(ovnNb))
    throw new Failure(
      'config-invalid',
      `${ovnNb} is a file, and a plan is about a living database: give --ovn-nb tcp:, ssl: or unix: and where it listens`,
    );
  const kubeconfig = kubernetes ?? settings.kubernetes.kubeconfig;
  if (kubeconfig !== undefined && !isKubeconfig(kubeconfig))
    throw new Failure(
      'config-invalid',
      `${kubeconfig} is a dump, and a plan is about a living cluster: give --kubernetes a kubeconfig`,
    );
  const systems = liveSystems(
    { ...settings, kubernetes: { ...settings.kubernetes, kubeconfig } },
    { steals: takeOver },
  );
  try {
    return await use(systems);
  } finally {
    await systems.close();
  }
}
