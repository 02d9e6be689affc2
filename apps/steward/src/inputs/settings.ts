import { isOvsdbRemote } from '@ovn-steward/systems/ovn/is-ovsdb-remote';
import { requireRuleSettings } from '@ovn-steward/judgement/rule-named';
import { loadConfig } from '@ovn-steward/shared/settings/config';
import type { LoadedConfig } from '@ovn-steward/shared/settings/config';
import { Settings } from '@ovn-steward/shared/settings/settings';
import type { InputOptions } from './options';

/** How the flags that are settings are written here. */
const FLAGS: ReadonlyMap<string, string> = new Map([
  ['cluster', '--cluster'],
  ['stateDir', '--state-dir'],
  ['http.listen', '--listen'],
  ['kafka.brokers', '--kafka-brokers'],
  ['ovnNb.remote', '--ovn-nb'],
  ['ovnSb.remote', '--ovn-sb'],
  ...['ovnNb', 'ovnSb'].flatMap((database): [string, string][] => [
    [`${database}.caCertificate`, '--ovn-ca'],
    [`${database}.certificate`, '--ovn-cert'],
    [`${database}.privateKey`, '--ovn-key'],
  ]),
  ['kubernetes.context', '--context'],
  ['uninstalled', '--uninstalled'],
  ['backup.folder', '--dir'],
  ['backup.keep', '--keep'],
  ['backup.every', '--every'],
]);

/**
 * Flags over environment over file over defaults. `--ovn-nb` and `--kubernetes` may also be files;
 * those are no settings.
 * @param more flags that only one command has, by the dotted paths of their settings.
 */
export function settingsFrom(
  options: InputOptions & {
    readonly stateDir?: string;
    readonly listen?: string;
    readonly kafkaBrokers?: string;
  },
  more: Readonly<Record<string, string | undefined>> = {},
): LoadedConfig<typeof Settings> {
  const remote = (where: string | undefined): string | undefined =>
    where !== undefined && isOvsdbRemote(where) ? where : undefined;
  const flags = {
    cluster: options.cluster,
    stateDir: options.stateDir,
    'http.listen': options.listen,
    'kafka.brokers': options.kafkaBrokers,
    'ovnNb.remote': remote(options.ovnNb),
    'ovnSb.remote': remote(options.ovnSb),
    'ovnNb.caCertificate': options.ovnCa,
    'ovnNb.certificate': options.ovnCert,
    'ovnNb.privateKey': options.ovnKey,
    'ovnSb.caCertificate': options.ovnCa,
    'ovnSb.certificate': options.ovnCert,
    'ovnSb.privateKey': options.ovnKey,
    'kubernetes.context': options.context,
    uninstalled: options.uninstalled,
    ...more,
  };
  const loaded = loadConfig({
    schema: Settings,
    file: options.config,
    env: process.env,
    flagOf: (path) => FLAGS.get(path),
    flags: Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined)),
  });
  const { rules, approvers } = loaded.config.executor;
  requireRuleSettings({
    rules: loaded.config.rules.flatMap(({ rule }) => rule ?? []),
    'executor.rules': Object.keys(rules),
    'executor.approvers': Object.keys(approvers),
  });
  return loaded;
}
