import { isUtf8 } from 'node:buffer';
import type { OvsdbError, OvsdbErrorCode } from '../wire/errors';
import { parseJson } from '../wire/parse-json';
import { type JsonCut, JsonCutter, type JsonPath } from './json-cutter';
import type { RecordFile, RecordPlace } from './record-file';
import { reasonOf } from './system-error';

/** Decides what to do with the value at a path of a record. */
type Choose = (path: JsonPath) => JsonCut;

/** Is given each value that was chosen. The path goes on changing: take from it what is needed. */
type Visit = (path: JsonPath, json: unknown) => void;

function parseBytes(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new SyntaxError('not UTF-8');
  return parseJson(bytes.toString());
}

/** What a cut walks into, undefined where it does not. */
function inside(cut: JsonCut, json: unknown): Iterable<[string | number, unknown]> | undefined {
  if (cut === 'elements' && Array.isArray(json)) return json.entries();
  return cut === 'members' && typeof json === 'object' && json !== null && !Array.isArray(json)
    ? Object.entries(json)
    : undefined;
}

function walkParsed(json: unknown, path: (string | number)[], choose: Choose, visit: Visit): void {
  const cut = choose(path);
  if (cut === 'skip') return;
  const parts = inside(cut, json);
  if (!parts) return visit(path, json);
  for (const [name, value] of parts) {
    path.push(name);
    walkParsed(value, path, choose, visit);
    path.pop();
  }
}

/**
 * One record whose bytes were found intact. A small one is held parsed; of a large one only its
 * place is held, and every walk reads it from the file again, value by value.
 */
export class FileRecord {
  private constructor(
    private readonly file: RecordFile,
    readonly place: RecordPlace,
    private readonly held: { readonly json: unknown } | undefined,
  ) {}

  /**
   * @param largeFrom bytes from which a record counts as large.
   * @throws OvsdbError `hash-mismatch`, `corrupt`.
   */
  static async read(file: RecordFile, place: RecordPlace, largeFrom: number): Promise<FileRecord> {
    if (place.length >= largeFrom) {
      await file.check(place);
      return new FileRecord(file, place, undefined);
    }
    const content = await file.content(place);
    try {
      return new FileRecord(file, place, { json: parseBytes(content) });
    } catch (error) {
      throw notJson(file, place, error);
    }
  }

  /** @throws OvsdbError `corrupt`, `unreadable`, and whatever `visit` throws. */
  async walk(choose: Choose, visit: Visit): Promise<void> {
    if (this.held) return walkParsed(this.held.json, [], choose, visit);
    const cutter = new JsonCutter(choose, (path, bytes) => visit(path, parseBytes(bytes)));
    try {
      for await (const chunk of this.file.chunks(this.place)) cutter.push(chunk);
      cutter.end();
    } catch (error) {
      if (error instanceof SyntaxError) throw notJson(this.file, this.place, error);
      if (error instanceof RangeError)
        throw this.file.error(
          'unreadable',
          this.place,
          `${error.message}, too long for this reader`,
          error,
        );
      throw error;
    }
  }

  /** An error about this record. */
  error(code: OvsdbErrorCode, what: string, cause?: unknown): OvsdbError {
    return this.file.error(code, this.place, what, cause);
  }
}

const notJson = (file: RecordFile, place: RecordPlace, error: unknown): OvsdbError =>
  file.error(
    'corrupt',
    place,
    `it is intact, but not JSON that can be read (${reasonOf(error)}). Its writer was not ovsdb-server`,
    error,
  );
