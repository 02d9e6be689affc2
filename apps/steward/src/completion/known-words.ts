import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readCheckpoint } from '@ovn-steward/analyzer';
import { namespacesOf } from '@ovn-steward/contracts/control/selects';
import { type Finding, FindingClass, Severity } from '@ovn-steward/contracts/findings/finding';
import { standingHolds } from '@ovn-steward/executor';
import { RULES } from '@ovn-steward/judgement/rules/registry';
import { openDecided } from '../inputs/decided';
import { channelOf, type ChannelOptions } from '../inputs/decisions';
import { readWorld } from '../inputs/read-world';
import { settingsFrom } from '../inputs/settings';
import { inputsFrom } from '../inputs/sources';
import { FILES } from '../inputs/state-files';
import type { Candidate } from './candidates';
import type { WordPlace } from './word-place';

/** As much of an id as the lists show. */
const ID_LENGTH = 10;
/** What is larger takes longer to read than a person waits for a completion. */
const MAX_BYTES = 8 * 2 ** 20;

const bare = (words: Iterable<string>): Candidate[] =>
  [...new Set(words)].sort().map((word) => ({ word, about: '' }));

type Of = (findings: readonly Finding[]) => Candidate[];

const ids: Of = (findings) =>
  findings
    .filter((it) => it.state !== 'resolved')
    .map((it) => ({ word: it.id.slice(0, ID_LENGTH), about: `${it.rule}: ${it.summary}` }));

const subnets: Of = (findings) => bare(findings.flatMap((it) => it.scope?.subnet ?? []));

const FROM_FINDINGS: Readonly<Record<string, Of>> = {
  finding: ids,
  findings: ids,
  subnet: subnets,
  subnets,
  vpc: (findings) => bare(findings.flatMap((it) => it.scope?.vpc ?? [])),
  namespace: (findings) => bare(findings.flatMap((it) => [...namespacesOf(it)])),
};

const FIXED: Readonly<Record<string, () => Candidate[]>> = {
  rule: () => RULES.map(({ id, about }) => ({ word: id, about })),
  class: () => bare(FindingClass.options),
  severity: () => bare(Severity.options),
};

/**
 * The words there are for an option or argument: rules, classes, severities, and what a state
 * folder or recorded files have of findings and holds. Reads no server, and nothing that takes
 * long: a person waits for it. What cannot be read is no word.
 */
export async function knownWords(
  name: string,
  place: WordPlace,
): Promise<readonly Candidate[] | undefined> {
  try {
    if (place.command.name() === 'resume' && HELD.has(name))
      return await held(name as 'rule' | 'vpc' | 'subnet', optionsAt(place));
    if (Object.hasOwn(FIXED, name)) return FIXED[name]!();
    if (Object.hasOwn(FROM_FINDINGS, name))
      return FROM_FINDINGS[name]!(await findingsOf(optionsAt(place)));
    return undefined;
  } catch {
    return [];
  }
}

function optionsAt({ command, others }: WordPlace): ChannelOptions {
  command.parseOptions([...others]);
  return command.opts();
}

async function findingsOf(options: ChannelOptions): Promise<readonly Finding[]> {
  if (options.kafkaBrokers !== undefined || options.server !== undefined) return [];
  const { config } = settingsFrom(options);
  if (options.ovnNb === undefined)
    return readCheckpoint(join(config.stateDir, FILES.checkpoint)).findings;
  const inputs = inputsFrom(options, config);
  const files = [options.ovnNb, options.ovnSb, options.kubernetes];
  const bytes = files.reduce((sum, it) => sum + (it === undefined ? 0 : bytesOf(it)), 0);
  if (inputs.live || bytes > MAX_BYTES) return [];
  return (await readWorld(inputs, config, { timeoutMs: 1000 })).findings();
}

const bytesOf = (path: string): number =>
  statSync(path).isDirectory()
    ? readdirSync(path).reduce((sum, it) => sum + statSync(join(path, it)).size, 0)
    : statSync(path).size;

const HELD: ReadonlySet<string> = new Set(['rule', 'vpc', 'subnet']);

/** What the holds in force are about: only these can be ended. */
async function held(
  name: 'rule' | 'vpc' | 'subnet',
  options: ChannelOptions,
): Promise<readonly Candidate[]> {
  if (options.kafkaBrokers !== undefined || options.server !== undefined) return [];
  const channel = await channelOf(options);
  if (channel.stateDir === undefined || !existsSync(channel.stateDir)) return [];
  const decided = await openDecided(channel);
  const state = await decided.now().finally(() => decided.close());
  return standingHolds(state, new Date()).flatMap(({ scope, reason }) => {
    const word = scope[name];
    return word === undefined ? [] : [{ word, about: reason }];
  });
}
