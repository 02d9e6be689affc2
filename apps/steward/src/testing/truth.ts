import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Settings } from '@ovn-steward/shared/settings/settings';
import type { Engine } from '@ovn-steward/judgement/engine/engine';
import { inputsFrom } from '../inputs/sources';
import { readWorld } from '../inputs/read-world';

/** One line of a recording's truth.json. */
export interface TruthEntry {
  readonly expect: 'finding' | 'keep' | 'optional' | 'report-only';
  readonly source: 'nb' | 'sb' | 'kubernetes';
  readonly table?: string;
  readonly uuid?: string;
  readonly uid?: string;
  readonly kind?: string;
  readonly name: string;
  readonly symptom?: string;
  readonly vip?: string;
  readonly via?: string;
  readonly garbage?: boolean;
}

export const RECORDINGS = join(__dirname, '..', '..', '..', '..', 'examples', 'recordings');

export const truthOf = (recording: string): readonly TruthEntry[] =>
  (
    JSON.parse(readFileSync(join(RECORDINGS, recording, 'truth.json'), 'utf8')) as {
      entries: TruthEntry[];
    }
  ).entries;

/** Audits a recording as `steward audit` would. */
export function observe(ovnNb: string, kubernetes: string, ovnSb?: string): Promise<Engine> {
  const settings = Settings.parse({ cluster: 'test' });
  const inputs = { ovnNb, kubernetes, ...(ovnSb === undefined ? {} : { ovnSb }) };
  return readWorld(inputsFrom(inputs, settings), settings, { timeoutMs: 60_000 });
}

export const observeAt = (recording: string): Promise<Engine> =>
  observe(join(RECORDINGS, recording, 'nb.db'), join(RECORDINGS, recording));
