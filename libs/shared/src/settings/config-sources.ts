import { isSection, type SettingsSection, type Setting, settingsOf } from './config-schema';
import { MOST_CONFIG_BYTES, readConfigText, yamlOf } from './config-text';
import { Failure } from '../errors';
import { whyUnreadable } from '../file-trouble';
import { nearest } from '../nearest';

/** A value as its source has it, and where that is, for people. */
export interface Given {
  readonly path: string;
  readonly value: unknown;
  readonly origin: string;
}

/** What a source gave, and what is wrong with it: all of it, not only the first. */
export interface SettingsSource {
  readonly given: readonly Given[];
  readonly problems: readonly string[];
}

const isMapping = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `unknown key "x"; did you mean "y"?` */
export function unknownKey(key: string, known: readonly string[]): string {
  const meant = nearest(key, known);
  return `unknown key ${JSON.stringify(key)}; ${meant ? `did you mean ${JSON.stringify(meant)}?` : `known here: ${known.join(', ') || 'none'}`}`;
}

function fromMapping(
  section: SettingsSection,
  mapping: Record<string, unknown>,
  origin: string,
  path: readonly string[],
): SettingsSource {
  const sources = Object.entries(mapping).map(([key, value]): SettingsSource => {
    const node = section.children.get(key);
    const here = [...path, key];
    if (!node)
      return {
        given: [],
        problems: [
          `${origin}: ${path.length > 0 ? `${path.join('.')}: ` : ''}${unknownKey(key, [...section.children.keys()])}`,
        ],
      };
    if (!isSection(node))
      return value === null
        ? { given: [], problems: [] }
        : { given: [{ path: node.path, value, origin }], problems: [] };
    if (value === null) return { given: [], problems: [] }; // `grace:` with nothing under it
    return isMapping(value)
      ? fromMapping(node, value, origin, here)
      : {
          given: [],
          problems: [`${origin}: ${here.join('.')}: settings are expected below it, not a value`],
        };
  });
  return {
    given: sources.flatMap((it) => it.given),
    problems: sources.flatMap((it) => it.problems),
  };
}

/**
 * A YAML or JSON file. Throws Failure `config-invalid` when it cannot be read or parsed, or is too
 * long; quotes none of its content.
 */
export function fromFile(section: SettingsSection, file: string): SettingsSource {
  let text: string | undefined;
  try {
    text = readConfigText(file);
  } catch (error) {
    throw new Failure(
      'config-invalid',
      `The configuration file ${file} cannot be read: ${whyUnreadable(error)}.`,
      { cause: error },
    );
  }
  if (text === undefined)
    throw new Failure(
      'config-invalid',
      `The configuration file ${file} is longer than ${MOST_CONFIG_BYTES >> 20} MiB: it cannot be a file of settings. Name another with --config or ${FILE_VARIABLE}.`,
    );
  const read = yamlOf(text);
  if ('wrong' in read)
    throw new Failure(
      'config-invalid',
      `The configuration file ${file} is not YAML${read.line === undefined ? '' : `, line ${read.line}`}: ${read.wrong}.`,
    );
  const { content } = read;
  if (content === null || content === undefined) return { given: [], problems: [] };
  return isMapping(content)
    ? fromMapping(section, content, `file ${file}`, [])
    : { given: [], problems: [`file ${file}: settings are expected, not a single value`] };
}

/** Reads text as the setting wants it; what does not fit stays text, and the schema refuses it. */
function valueOf(text: string, { kind }: Setting): unknown {
  if (kind === 'number' && /^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  if (kind === 'boolean' && /^(?:true|false)$/.test(text)) return text === 'true';
  if (kind !== 'list' && kind !== 'map') return text;
  const read = /^\s*[[{]/.test(text) ? yamlOf(text) : undefined;
  if (read) return 'wrong' in read ? text : read.content;
  return kind === 'list' ? text.split(',').map((it) => it.trim()) : text;
}

const PREFIX = 'STEWARD_';
/** Names the file itself; not a setting. */
export const FILE_VARIABLE = `${PREFIX}CONFIG`;
/** Variables that tests read; they mean nothing to the product. */
const FOR_TESTS = `${PREFIX}TEST_`;

/** `grace.leak` → `STEWARD_GRACE__LEAK`, `stateDir` → `STEWARD_STATE_DIR`. */
export const variableOf = (path: string): string =>
  PREFIX + path.replaceAll('.', '__').replace(/[A-Z]/g, '_$&').toUpperCase();

/**
 * What Kubernetes puts into every container beside a Service whose name begins with `steward`: not
 * meant for us.
 */
const SERVICE_LINK =
  /(?:_SERVICE_(?:HOST|PORT(?:_[A-Z0-9_]+)?)|_PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)?)$/;

/** Variables named `STEWARD_…`; an empty one is not set. */
export function fromEnvironment(
  section: SettingsSection,
  env: Readonly<Record<string, string | undefined>>,
): SettingsSource {
  const settings = new Map(
    settingsOf(section).map((setting) => [variableOf(setting.path), setting]),
  );
  const given: Given[] = [];
  const problems: string[] = [];
  for (const [name, text] of Object.entries(env)) {
    if (!name.startsWith(PREFIX) || name === FILE_VARIABLE || name.startsWith(FOR_TESTS) || !text)
      continue;
    const setting = settings.get(name);
    if (setting)
      given.push({
        path: setting.path,
        value: valueOf(text, setting),
        origin: `environment ${name}`,
      });
    else if (name.slice(PREFIX.length).includes('__') || !SERVICE_LINK.test(name))
      problems.push(`environment: ${unknownKey(name, [...settings.keys()])}`);
  }
  return { given, problems };
}

/**
 * Flags by the dotted path of their setting; undefined ones were not given.
 * @param flagOf how a person writes it.
 */
export function fromFlags(
  section: SettingsSection,
  flags: Readonly<Record<string, unknown>>,
  flagOf: (path: string) => string | undefined,
): SettingsSource {
  const settings = new Map(settingsOf(section).map((setting) => [setting.path, setting]));
  const given: Given[] = [];
  const problems: string[] = [];
  for (const [path, value] of Object.entries(flags)) {
    if (value === undefined) continue;
    const setting = settings.get(path);
    if (setting)
      given.push({
        path,
        value: typeof value === 'string' ? valueOf(value, setting) : value,
        origin: `flag ${flagOf(path) ?? path}`,
      });
    else problems.push(`flag: ${unknownKey(path, [...settings.keys()])}`);
  }
  return { given, problems };
}
