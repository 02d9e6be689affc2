import type { Command } from 'commander';
import { pairGate } from '@ovn-steward/executor';
import { guardedSystems } from '@ovn-steward/systems/guarded-systems';
import type { Kubernetes } from '@ovn-steward/systems/kubernetes/kubernetes';
import { liveNorthbound } from '@ovn-steward/systems/northbound/live-northbound';
import { tlsOf } from '@ovn-steward/systems/ovn/tls-of';
import { Failure } from '@ovn-steward/shared/errors';
import { type KubernetesOptions, kubernetesOf, withKubernetes } from './kubernetes';
import { isOvsdbRemote } from '@ovn-steward/systems/ovn/is-ovsdb-remote';
import { settingsFrom } from './settings';

/** The living cluster a guard writes to, and the Northbound it must belong to. */
export interface GuardedOptions extends KubernetesOptions {
  readonly ovnNb?: string;
  readonly ovnCa?: string;
  readonly ovnCert?: string;
  readonly ovnKey?: string;
}

/** The options of the commands of guards that write. */
export const withGuarded = (command: Command): Command =>
  withKubernetes(command)
    .option(
      '--ovn-nb <where>',
      'write only while this Kubernetes is shown to belong to this live Northbound: tcp:host:port, ssl:host:port, unix:path; without it, and without ovnNb.remote, not checked',
    )
    .option('--ovn-ca <file>', 'CA certificate for ssl:')
    .option('--ovn-cert <file>', 'client certificate for ssl:')
    .option('--ovn-key <file>', 'client key for ssl:');

/** A Kubernetes that guards write to. */
export interface GuardedKubernetes {
  readonly kubernetes: Kubernetes;
  /**
   * Checks now what is checked before each write.
   * @throws Failure `other-cluster` where nothing may be written; others when one of the systems
   *   cannot be read.
   */
  check(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens nothing yet.
 * @param onRefused called each time a write is refused.
 * @throws Failure `config-invalid` where a file is named instead of a living system,
 *   `input-not-found`.
 */
export function guardedKubernetes(
  options: GuardedOptions,
  onRefused: Parameters<typeof pairGate>[1] = () => undefined,
): GuardedKubernetes {
  if (options.ovnNb !== undefined && !isOvsdbRemote(options.ovnNb))
    throw new Failure(
      'config-invalid',
      `${options.ovnNb} is not where a Northbound server listens: give --ovn-nb tcp:host:port, ssl:host:port or unix:path.`,
    );
  const kubernetes = kubernetesOf(options, { reporter: 'ovn-steward.dev/guard' });
  const { ovnNb } = settingsFrom(options).config;
  if (ovnNb.remote === undefined)
    return {
      kubernetes,
      check: async () => undefined,
      close: () => kubernetes.close(),
    };
  const tls = tlsOf(ovnNb.remote, ovnNb);
  const northbound = liveNorthbound({ remotes: ovnNb.remote, ...(tls && { tls }) });
  const check = pairGate({ northbound, kubernetes }, onRefused);
  return {
    kubernetes: guardedSystems({ northbound, kubernetes }, check).kubernetes as Kubernetes,
    check,
    close: async () => void (await Promise.all([kubernetes.close(), northbound.close()])),
  };
}
