import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../finding';
import type { SourceStatus } from '../source-status';

const CONTRACTS = join(__dirname, '../../../../contracts');

/** A published sample, of this version or of a released one. */
const sample = (path: string): unknown => JSON.parse(readFileSync(join(CONTRACTS, path), 'utf8'));

export const FINDING = sample('examples/finding.v1.confirmed.json') as Finding;
export const STATUS = sample('examples/status.v1.complete.json') as SourceStatus;

/** A record of the findings topic, as kafkajs gives it. */
export const findingRecord = (more: object = {}, id: unknown = FINDING.id) => ({
  key: Buffer.from(String(id)),
  value: Buffer.from(JSON.stringify({ specversion: '1.0', data: { ...FINDING, id, ...more } })),
});
export const tombstone = (id: string) => ({ key: Buffer.from(id), value: null });
export const statusRecord = (more: object = {}) => {
  const status = { ...STATUS, ...more };
  return {
    key: Buffer.from(`${status.cluster}/${status.source}`),
    value: Buffer.from(JSON.stringify(status)),
  };
};

/**
 * Every golden sample of a document, of this version and of all releases, and those of a later v1,
 * by path.
 */
export const samplesOf = (document: string): [string, Record<string, unknown>][] =>
  [
    'examples',
    'later-versions',
    ...readdirSync(join(CONTRACTS, 'released')).flatMap((release) => [
      `released/${release}/examples`,
      `released/${release}/later-versions`,
    ]),
  ].flatMap((folder) =>
    readdirSync(join(CONTRACTS, folder))
      .filter((it) => it.startsWith(`${document}.v1.`))
      .map((file): [string, Record<string, unknown>] => [
        `${folder}/${file}`,
        sample(`${folder}/${file}`) as Record<string, unknown>,
      ]),
  );
