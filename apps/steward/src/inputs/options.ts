import { formsOf } from '@ovn-steward/collector';
import type { Command } from 'commander';

/** Where to read from, as the command line says it. */
export interface InputOptions {
  readonly ovnNb?: string;
  readonly ovnSb?: string;
  readonly ovnCa?: string;
  readonly ovnCert?: string;
  readonly ovnKey?: string;
  readonly kubernetes?: string;
  readonly context?: string;
  readonly cluster?: string;
  readonly config?: string;
  readonly uninstalled?: string;
}

/** The options every command that reads the world shares. */
export const withInputs = (command: Command): Command =>
  command
    .option('--ovn-nb <where>', `Northbound: ${formsOf('ovn-nb')}`)
    .option('--ovn-sb <where>', 'Southbound, the same forms; optional')
    .option('--ovn-ca <file>', 'CA certificate for ssl:')
    .option('--ovn-cert <file>', 'client certificate for ssl:')
    .option('--ovn-key <file>', 'client key for ssl:')
    .option('--kubernetes <where>', formsOf('kubernetes'))
    .option('--context <name>', 'context of the kubeconfig')
    .option('--cluster <name>', 'the name findings carry')
    .option('--config <file>', 'settings as YAML or JSON; see steward config');

/** For commands that judge what is left of a Kube-OVN that was uninstalled. */
export const withUninstalled = (command: Command): Command =>
  command.option(
    '--uninstalled <pair>',
    'state that Kube-OVN was uninstalled from this Kubernetes on purpose, and that this Northbound was its network: nb:<uuid of the NB_Global row>/<uid of namespace kube-system>; see docs/doctor.md',
  );
