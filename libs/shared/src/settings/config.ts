import type { z } from 'zod';
import { isSection, keysAt, type SettingsSection, sectionOf, settingsOf } from './config-schema';
import {
  FILE_VARIABLE,
  fromEnvironment,
  fromFile,
  fromFlags,
  type Given,
  unknownKey,
  variableOf,
} from './config-sources';
import { Failure } from '../errors';
import { wordsOfValue } from './value-words';

export interface ConfigSources<S extends z.ZodType> {
  /** A zod object; sections are objects inside it. */
  readonly schema: S;
  /** YAML or JSON; else the one `STEWARD_CONFIG` names, else none. */
  readonly file?: string | undefined;
  /**
   * `STEWARD_` and the path in capitals, levels joined by two underscores:
   * `STEWARD_GRACE__LEAK=30m`.
   */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** By dotted path: `{ 'grace.leak': '30m' }`. */
  readonly flags: Readonly<Record<string, unknown>>;
  /** How a person writes the flag of a path; undefined where there is none. Default: `--<path>`. */
  readonly flagOf?: ((path: string) => string | undefined) | undefined;
}

/** One setting as it stands. */
export interface EffectiveSetting {
  readonly path: string;
  /** As written, or the default; `***` for a secret; undefined when not set. */
  readonly value: unknown;
  /** `default`, `file <path>`, `environment <name>` or `flag <as it is written>`. */
  readonly origin: string;
}

export interface LoadedConfig<S extends z.ZodType> {
  readonly config: z.output<S>;
  /** Every setting and where its value came from, fit to be shown. */
  readonly effective: readonly EffectiveSetting[];
}

/** The tree of values a schema wants, from its flat settings. */
function nested(
  section: SettingsSection,
  given: ReadonlyMap<string, Given>,
): Record<string, unknown> | undefined {
  const entries = [...section.children].flatMap(([name, node]): [string, unknown][] => {
    const value = isSection(node) ? nested(node, given) : given.get(node.path)?.value;
    return value === undefined ? [] : [[name, value]];
  });
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

/**
 * `grace.leak: not a duration … (file /etc/steward.yaml)`; never the value. Of a setting that is
 * missing, how it is given.
 */
function describeIssue(
  { schema, section, flagOf }: Pick<ConfigSources<z.ZodType>, 'schema'> & NamedSettings,
  issue: z.core.$ZodIssue,
  given: ReadonlyMap<string, Given>,
): string {
  const path = issue.path.map(String);
  const origin =
    path
      .map((_, at) => given.get(path.slice(0, at + 1).join('.'))?.origin)
      .find((it) => it !== undefined) ?? howToGive(path.join('.'), { section, flagOf });
  const what =
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => unknownKey(key, keysAt(schema, issue.path))).join('; ')
      : issue.message;
  return `${path.join('.') || 'settings'}: ${what}${origin ? ` (${origin})` : ''}`;
}

interface NamedSettings {
  readonly section: SettingsSection;
  readonly flagOf: (path: string) => string | undefined;
}

function howToGive(path: string, { section, flagOf }: NamedSettings): string | undefined {
  if (!settingsOf(section).some((it) => it.path === path)) return undefined;
  const flag = flagOf(path);
  return `not given; it is ${flag === undefined ? '' : `${flag}, or `}${variableOf(path)}`;
}

/**
 * The configuration: flags win over the environment, that over the file, that over the defaults.
 * Throws Failure `config-invalid` with everything that is wrong, key by key, unknown keys with the
 * nearest known one; no values are quoted.
 */
export function loadConfig<S extends z.ZodType>({
  schema,
  file,
  env,
  flags,
  flagOf = (it) => `--${it}`,
}: ConfigSources<S>): LoadedConfig<S> {
  const section = sectionOf(schema);
  const path = file ?? (env[FILE_VARIABLE] || undefined);
  const sources = [
    ...(path === undefined ? [] : [fromFile(section, path)]),
    fromEnvironment(section, env),
    fromFlags(section, flags, flagOf),
  ];
  const given = new Map(sources.flatMap((source) => source.given).map((it) => [it.path, it]));
  const parsed = schema.safeParse(nested(section, given) ?? {}, { error: wordsOfValue });
  const problems = [
    ...sources.flatMap((source) => source.problems),
    ...(parsed.error?.issues ?? []).map((issue) =>
      describeIssue({ schema, section, flagOf }, issue, given),
    ),
  ];
  if (!parsed.success || problems.length > 0)
    throw new Failure(
      'config-invalid',
      `The configuration is not valid:\n${problems.map((it) => `  ${it}`).join('\n')}`,
    );
  const effective = settingsOf(section).map((setting): EffectiveSetting => {
    const chosen = given.get(setting.path);
    const value = chosen ? chosen.value : setting.default;
    return {
      path: setting.path,
      value: setting.secret && value !== undefined ? '***' : value,
      origin: chosen?.origin ?? 'default',
    };
  });
  return { config: parsed.data, effective };
}
