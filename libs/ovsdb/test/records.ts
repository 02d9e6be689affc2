import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringifyJson } from '../src/wire/parse-json';

/** One record as ovsdb(5) describes it. */
export function record(magic: 'JSON' | 'CLUSTER', json: unknown): Buffer {
  return rawRecord(magic, `${stringifyJson(json)}\n`);
}

/** A record of any bytes, with the length and hash that belong to them. */
export function rawRecord(magic: string, body: string | Buffer): Buffer {
  const bytes = Buffer.from(body);
  return Buffer.concat([
    Buffer.from(
      `OVSDB ${magic} ${bytes.length} ${createHash('sha1').update(bytes).digest('hex')}\n`,
    ),
    bytes,
  ]);
}

/** A standalone file of records. */
export const standalone = (...records: unknown[]): Buffer =>
  Buffer.concat(records.map((json) => record('JSON', json)));

/** A cluster member's file of records. */
export const clustered = (...records: unknown[]): Buffer =>
  Buffer.concat(records.map((json) => record('CLUSTER', json)));

/** A folder for the files of one test file, and its removal. */
export function scratch(): {
  file(bytes: Buffer, name?: string): string;
  path(name: string): string;
  remove(): void;
} {
  const folder = mkdtempSync(join(tmpdir(), 'ovsdb-file-'));
  const path = (name: string): string => join(folder, name);
  return {
    path,
    file: (bytes, name = 'test.db') => {
      writeFileSync(path(name), bytes);
      return path(name);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
