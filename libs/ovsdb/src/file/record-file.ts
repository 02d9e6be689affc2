import { createHash } from 'node:crypto';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { OvsdbError, type OvsdbErrorCode } from '../wire/errors';
import { reasonOf, systemCode } from './system-error';

/**
 * What a file's records begin with: `JSON` for a standalone database, `CLUSTER` for a member of a
 * cluster.
 */
type Magic = 'JSON' | 'CLUSTER';

/** Where one record's JSON lies. */
export interface RecordPlace {
  /** From 0. */
  readonly number: number;
  /** Of the record's header line, in bytes. */
  readonly offset: number;
  readonly magic: Magic;
  readonly start: number;
  readonly length: number;
  readonly sha1: string;
}

const HEADER = /^OVSDB (JSON|CLUSTER) (\d{1,15}) ([0-9a-f]{40})\n/;
const CUT_HEADER = /^(O|OV|OVS|OVSD|OVSDB|OVSDB [A-Z]*( \d*( [0-9a-f]*)?)?)$/;
/** The longest header there can be has 74 bytes. */
const HEADER_SPACE = 80;
const CHUNK = 1 << 20;

/** An operating system's error as ours. */
function fileError(path: string, error: unknown): OvsdbError {
  if (error instanceof OvsdbError) return error;
  if (systemCode(error) === 'ENOENT')
    return new OvsdbError('not-found', `${path} does not exist. Check the path.`, { cause: error });
  return new OvsdbError(
    'unreadable',
    `${path} cannot be read: ${reasonOf(error)}. Check its permissions and kind, or copy it elsewhere first.`,
    { cause: error },
  );
}

/**
 * The records of a database file (ovsdb(5)), as they lie in it: each a header line with length and
 * SHA-1, then its JSON.
 */
export class RecordFile {
  private window: { readonly start: number; readonly bytes: Buffer } = {
    start: 0,
    bytes: Buffer.alloc(0),
  };

  private constructor(
    readonly path: string,
    readonly size: number,
    private readonly handle: FileHandle,
    private readonly signal: AbortSignal | undefined,
  ) {}

  /**
   * @throws OvsdbError `not-found`, `unreadable`. A file that grows meanwhile is read as long as it
   *   was now.
   */
  static async open(path: string, signal?: AbortSignal): Promise<RecordFile> {
    let handle: FileHandle | undefined;
    try {
      // To open a pipe waits for whoever writes it, without end.
      const before = await stat(path);
      if (before.isDirectory())
        throw new OvsdbError('unreadable', `${path} is a folder. Give the database file in it.`);
      if (!before.isFile()) throw new Error('it is not a regular file');
      handle = await open(path, 'r');
      const { size } = await handle.stat();
      return new RecordFile(path, size, handle, signal);
    } catch (error) {
      await handle?.close();
      throw fileError(path, error);
    }
  }

  close(): Promise<void> {
    return this.handle.close();
  }

  /**
   * The record that begins at a byte, undefined at the end of the file. The content is not read.
   *
   * @throws OvsdbError `not-a-database` (only at the file's beginning), `truncated`, `corrupt`.
   */
  async place(number: number, offset: number): Promise<RecordPlace | undefined> {
    if (offset === this.size && number > 0) return undefined;
    const head = (await this.read(offset, Math.min(HEADER_SPACE, this.size - offset))).toString(
      'latin1',
    );
    const [line, magic, length, sha1 = ''] = HEADER.exec(head) ?? [];
    const where = { number, offset };
    if (line === undefined) throw this.noHeader(where, head);
    const start = offset + line.length;
    if (start + Number(length) > this.size)
      throw this.error(
        'truncated',
        where,
        `it announces ${length} bytes, but the file ends after ${this.size - start}. Copy the file again`,
      );
    return { ...where, magic: magic as Magic, start, length: Number(length), sha1 };
  }

  /** @throws OvsdbError `hash-mismatch`. */
  async check(place: RecordPlace): Promise<void> {
    const hash = createHash('sha1');
    for await (const chunk of this.chunks(place)) hash.update(chunk);
    this.compare(place, hash.digest('hex'));
  }

  /** The whole record, checked. */
  async content(place: RecordPlace): Promise<Buffer> {
    const content = await this.read(place.start, place.length);
    this.compare(place, createHash('sha1').update(content).digest('hex'));
    return content;
  }

  async *chunks({ start, length }: RecordPlace): AsyncGenerator<Buffer> {
    for (let done = 0; done < length; done += CHUNK)
      yield await this.read(start + done, Math.min(CHUNK, length - done));
  }

  error(
    code: OvsdbErrorCode,
    { number, offset }: Pick<RecordPlace, 'number' | 'offset'>,
    what: string,
    cause?: unknown,
  ): OvsdbError {
    return new OvsdbError(code, `${this.path}, record ${number} at byte ${offset}: ${what}.`, {
      cause,
    });
  }

  private compare(place: RecordPlace, sha1: string): void {
    if (sha1 !== place.sha1)
      throw this.error(
        'hash-mismatch',
        place,
        `its bytes have SHA-1 ${sha1}, its header says ${place.sha1}. The file was damaged or copied while it was written: copy it again`,
      );
  }

  private noHeader(where: { number: number; offset: number }, head: string): OvsdbError {
    if (head.length > 0 && head.length < HEADER_SPACE && CUT_HEADER.test(head))
      return this.error('truncated', where, 'the file ends inside its header. Copy the file again');
    if (where.number > 0)
      return this.error(
        'corrupt',
        where,
        'no record begins here. Everything after this byte is unreadable: take another copy or a backup',
      );
    const why =
      this.size === 0
        ? 'it is empty'
        : head.startsWith('\x1f\x8b')
          ? 'it is compressed with gzip; unpack it first'
          : 'it does not begin with "OVSDB JSON" or "OVSDB CLUSTER"';
    return new OvsdbError(
      'not-a-database',
      `${this.path} is not an OVSDB database: ${why}. Give the .db file of ovsdb-server, or the output of ovsdb-client backup.`,
    );
  }

  /** Small pieces come out of a window that is read ahead: a history has many small records. */
  private async read(offset: number, length: number): Promise<Buffer> {
    this.signal?.throwIfAborted();
    if (length > CHUNK / 4) return this.readThrough(offset, length);
    if (
      offset < this.window.start ||
      offset + length > this.window.start + this.window.bytes.length
    )
      this.window = {
        start: offset,
        bytes: await this.readThrough(offset, Math.min(CHUNK, this.size - offset)),
      };
    return this.window.bytes.subarray(
      offset - this.window.start,
      offset - this.window.start + length,
    );
  }

  private async readThrough(offset: number, length: number): Promise<Buffer> {
    const buffer = Buffer.allocUnsafeSlow(length);
    for (let done = 0; done < length;) {
      const { bytesRead } = await this.handle
        .read(buffer, done, length - done, offset + done)
        .catch((error: unknown) => {
          throw fileError(this.path, error);
        });
      if (bytesRead === 0)
        throw fileError(
          this.path,
          new Error(`it became shorter than ${this.size} bytes while it was read`),
        );
      done += bytesRead;
    }
    return buffer;
  }
}
