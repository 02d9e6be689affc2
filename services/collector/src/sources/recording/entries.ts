import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import type { DumpEntry } from './entry';
import { jsonEntries } from './json-entries';
import { yamlEntries } from './yaml-entries';

/** A file system error as a Failure that says what to do. */
export function fileFailure(path: string, error: unknown): Failure {
  if (error instanceof Failure) return error;
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT'
    ? new Failure(
        'input-not-found',
        `${path} does not exist. Give a file or a folder of kubectl's output.`,
        { cause: error },
      )
    : new Failure('input-unreadable', `${path} cannot be read: ${messageOf(error)}`, {
        cause: error,
      });
}

const notADump = (path: string, what: string): Failure =>
  new Failure('input-not-a-dump', `${path} is not a dump of Kubernetes objects: ${what}.`);

/** Bytes read to find out the format. */
const SNIFFED = 65536;

async function firstBytes(path: string): Promise<Buffer> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SNIFFED), 0, SNIFFED, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

type Format = 'json' | 'yaml' | 'empty';

/** Decides by the content, never by the name. */
function formatOf(path: string, head: Buffer): Format {
  if (head.length >= 2 && (head.readUInt16BE(0) === 0xfffe || head.readUInt16BE(0) === 0xfeff))
    throw notADump(path, 'it is UTF-16, as PowerShell writes it; write it as UTF-8');
  const text = head
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (text === '' && head.length < SNIFFED) return 'empty';
  if (text.startsWith('OVSDB '))
    throw notADump(
      path,
      'it is an OVSDB database file, to be given as the Northbound or Southbound database',
    );
  if (text.startsWith('{')) return 'json';
  if (text.startsWith('['))
    throw notADump(path, 'it is a bare JSON array; keep the List around the items');
  if (/^(---|%YAML|#|"?[A-Za-z]\w*"?:)/.test(text) && !head.includes(0)) return 'yaml';
  throw notADump(path, 'it begins neither like JSON nor like YAML');
}

async function* bytesOf(path: string): AsyncIterable<Buffer> {
  let first = true;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    const bytes = chunk as Buffer;
    yield first && bytes.length >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
      ? bytes.subarray(3)
      : bytes;
    first = false;
  }
}

/**
 * Reads a dump as a stream of batches: JSON lists (one or several, kubectl's or typed), one JSON
 * object a line, or YAML. An empty file gives nothing at all, not even a list.
 *
 * @throws Failure `input-not-found`, `input-unreadable`, `input-truncated` (it ends inside an
 *   object), `input-not-a-dump`.
 */
export async function* readEntries(path: string): AsyncIterable<readonly DumpEntry[]> {
  try {
    const format = formatOf(path, await firstBytes(path));
    if (format === 'json') yield* jsonEntries(path, () => bytesOf(path));
    if (format === 'yaml') yield* yamlEntries(path, bytesOf(path));
  } catch (error) {
    throw fileFailure(path, error);
  }
}
