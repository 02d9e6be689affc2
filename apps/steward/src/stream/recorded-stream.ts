import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import { partitionOf } from '@ovn-steward/shared/log/partition-of';
import { PARTITIONS } from '@ovn-steward/shared/log/topics';
import { z } from 'zod';

const EXAMPLE = 'examples/stream/findings.ndjson';

/** Two folders above the bundle is the installed package, four above is the repository. */
const ROOTS = ['../..', '../../../..'].map((it) => join(__dirname, it));

/** The stream of this repository, which has everything that a reader of findings meets. */
export const RECORDED_STREAM = join(
  ROOTS.find((it) => existsSync(join(it, EXAMPLE))) ?? ROOTS[1]!,
  EXAMPLE,
);

const Line = z
  .object({
    /** What this record is, for people. */
    what: z.string(),
    /** Decides the partition. */
    cluster: z.string(),
    key: z.string(),
    /** An event; text that is sent as it is; null is a tombstone. */
    value: z.union([z.record(z.string(), z.unknown()), z.string(), z.null()]).optional(),
    /** Instead of a value: bytes in base64. */
    bytes: z.base64().optional(),
    headers: z.record(z.string(), z.string()),
  })
  .refine(({ value, bytes }) => (value === undefined) !== (bytes === undefined), {
    message: 'a record has either a value or bytes',
  });

/** A record of a stream, and what it is. */
export interface RecordedFinding {
  readonly what: string;
  readonly partition: number;
  readonly key: string;
  readonly value: Buffer | null;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The records of a stream, in their order.
 * @throws Failure `input-not-found`, `input-unreadable` with the line.
 */
export function readStream(path: string): RecordedFinding[] {
  if (!existsSync(path))
    throw new Failure(
      'input-not-found',
      `There is no stream ${path}: name the file with --stream. It is examples/stream/findings.ndjson in the repository.`,
    );
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line, index) => (line === '' ? [] : [recordOf(line, `${path}, line ${index + 1}`)]));
}

function recordOf(line: string, where: string): RecordedFinding {
  try {
    const { what, cluster, key, value, bytes, headers } = Line.parse(JSON.parse(line));
    const partition = partitionOf(cluster, PARTITIONS);
    return { what, partition, key, value: valueOf(value, bytes), headers };
  } catch (error) {
    throw new Failure(
      'input-unreadable',
      `${where} is no record of a stream (${messageOf(error)}). Use the file as it is in the repository.`,
    );
  }
}

function valueOf(
  value: Readonly<Record<string, unknown>> | string | null | undefined,
  bytes: string | undefined,
): Buffer | null {
  if (value === null) return null;
  if (value === undefined) return Buffer.from(bytes!, 'base64');
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
}
