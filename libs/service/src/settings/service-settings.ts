import { loadConfig } from '@ovn-steward/shared/settings/config';
import { sectionOf, settingsOf } from '@ovn-steward/shared/settings/config-schema';
import { Failure } from '@ovn-steward/shared/errors';
import { nearest } from '@ovn-steward/shared/nearest';
import { Settings } from '@ovn-steward/shared/settings/settings';
import { helpText } from './help-text';
import type { ServiceIdentity } from './identity';

/** What the command line requests: to run with these settings, or only to print something. */
export type CommandLineRequest =
  { readonly settings: Settings; readonly only?: 'openapi' } | { readonly print: string };

const SETTINGS = new Map(settingsOf(sectionOf(Settings)).map((it) => [it.path, it]));

/**
 * The settings of a service: flags over the environment over the file over the defaults
 * (`loadConfig`). Every setting is a flag by its dotted path, `--kafka.brokers a:9092,b:9092` or
 * `--kafka.brokers=…`; a boolean's `true` may be left out.
 *
 * @param argv What follows the program's name.
 * @throws Failure `config-invalid`.
 */
export function serviceSettings(
  identity: ServiceIdentity,
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): CommandLineRequest {
  if (argv.includes('--help') || argv.includes('-h')) return { print: helpText(identity) };
  if (argv.includes('--version')) return { print: `${identity.version}\n` };
  const describes = argv.includes('--openapi');
  const { config: file, ...flags } = flagsOf(
    identity,
    argv.filter((it) => it !== '--openapi'),
  );
  const { config, effective } = loadConfig({ schema: Settings, file, env, flags });
  const listens = effective.some((it) => it.path === 'http.listen' && it.origin !== 'default');
  return {
    settings: listens ? config : { ...config, http: { ...config.http, listen: identity.listen } },
    ...(describes && { only: 'openapi' }),
  };
}

function flagsOf({ command }: ServiceIdentity, argv: readonly string[]): Record<string, string> {
  const flags = new Map<string, string>();
  const words = [...argv];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const [, path, attached] = /^--([^=]+)(?:=([\s\S]*))?$/.exec(word) ?? [];
    if (path === undefined)
      throw wrong(
        command,
        `${JSON.stringify(word)} is no flag: every setting is written --name value`,
      );
    if (path !== 'config' && !SETTINGS.has(path))
      throw wrong(command, `there is no setting --${path}${meant(path)}`);
    if (flags.has(path)) throw wrong(command, `--${path} is given twice`);
    const implied =
      SETTINGS.get(path)?.kind === 'boolean' &&
      (words[0] === undefined || words[0].startsWith('--'))
        ? 'true'
        : undefined;
    const value = attached ?? implied ?? words.shift();
    if (value === undefined) throw wrong(command, `--${path} needs a value`);
    flags.set(path, value);
  }
  return Object.fromEntries(flags);
}

const meant = (path: string): string => {
  const known = nearest(path, ['config', 'help', 'openapi', 'version', ...SETTINGS.keys()]);
  return known === undefined ? '' : `; did you mean --${known}?`;
};

const wrong = (command: string, what: string): Failure =>
  new Failure(
    'config-invalid',
    `${what[0]!.toUpperCase()}${what.slice(1)}${what.endsWith('?') ? '' : '.'} ${command} --help lists all settings.`,
  );
