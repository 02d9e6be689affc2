import type { Command } from 'commander';
import { liveNorthbound } from '@ovn-steward/systems/northbound/live-northbound';
import { tlsOf } from '@ovn-steward/systems/ovn/tls-of';
import { Failure } from '@ovn-steward/shared/errors';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import { isOvsdbRemote } from '@ovn-steward/systems/ovn/is-ovsdb-remote';

/** Which living Northbound, as the command line says it. */
export interface NorthboundOptions {
  readonly ovnNb?: string;
  readonly ovnCa?: string;
  readonly ovnCert?: string;
  readonly ovnKey?: string;
  readonly cluster?: string;
  readonly config?: string;
}

/** The options of commands that work on a living Northbound. */
export const withNorthbound = (command: Command): Command =>
  command
    .option(
      '--ovn-nb <where>',
      'the live Northbound: tcp:host:port, ssl:host:port, unix:path (comma-separated for a cluster, whose leader is used)',
    )
    .option('--ovn-ca <file>', 'CA certificate for ssl:')
    .option('--ovn-cert <file>', 'client certificate for ssl:')
    .option('--ovn-key <file>', 'client key for ssl:')
    .option('--cluster <name>', 'the name of the cluster, part of the names of backups')
    .option('--config <file>', 'settings as YAML or JSON; see steward config');

/**
 * Opens nothing yet: the connection is made when it is first needed.
 * @throws Failure `config-invalid`, `input-not-found`.
 */
export function northboundOf(
  { ovnNb }: NorthboundOptions,
  { ovnNb: settings }: Settings,
  timeoutMs: number,
): ReturnType<typeof liveNorthbound> {
  if (ovnNb !== undefined && !isOvsdbRemote(ovnNb))
    throw new Failure(
      'config-invalid',
      `${ovnNb} is not where a Northbound server listens: give --ovn-nb tcp:host:port, ssl:host:port or unix:path.`,
    );
  if (settings.remote === undefined)
    throw new Failure(
      'config-invalid',
      'No Northbound database is named: give --ovn-nb tcp:, ssl: or unix: and where it listens, or set ovnNb.remote.',
    );
  const tls = tlsOf(settings.remote, settings);
  return liveNorthbound({ remotes: settings.remote, timeoutMs, ...(tls && { tls }) });
}
