import { OvsdbError } from '../wire/errors';
import { FileRecord } from './file-record';
import type { RecordFile, RecordPlace } from './record-file';

/**
 * A last record that was cut off or damaged, and that the reader skipped because its options allow
 * it.
 */
export interface TornTail {
  readonly record: number;
  readonly offset: number;
  /** How many bytes of it are there. */
  readonly bytes: number;
}

export interface RecordStreamOptions {
  /**
   * Pass over a last record that is cut off or damaged, as in a copy of a live server's file. By
   * default that is an error.
   */
  readonly allowTornTail?: boolean;
  /** Bytes from which a record is read value by value instead of whole. Default 4 MiB. */
  readonly largeFrom?: number;
}

/**
 * So many records must precede a torn one: without the schema and the first content there is no
 * database.
 */
const LEAST_BEFORE_TORN = { JSON: 2, CLUSTER: 1 };
const LARGE_FROM = 4 << 20;

/** The records of a file in their order, each found intact before it is given. */
export class RecordStream implements AsyncIterable<FileRecord> {
  /** Known once the last record was given. */
  tornTail: TornTail | undefined;
  /** How many records were given. */
  count = 0;
  private first: RecordPlace | undefined;

  constructor(
    private readonly file: RecordFile,
    private readonly options: RecordStreamOptions,
  ) {}

  /** @throws OvsdbError `not-a-database`, `truncated`, `hash-mismatch`, `corrupt`, `unreadable`. */
  async *[Symbol.asyncIterator](): AsyncGenerator<FileRecord> {
    for (let offset = 0; ;) {
      const record = await this.at(offset);
      if (!record) return;
      this.count++;
      yield record;
      offset = record.place.start + record.place.length;
    }
  }

  private async at(offset: number): Promise<FileRecord | undefined> {
    const { file, count: number } = this;
    let place: RecordPlace | undefined;
    try {
      place = await file.place(number, offset);
      if (!place) return undefined;
      this.first ??= place;
      if (place.magic !== this.first.magic)
        throw file.error(
          'corrupt',
          place,
          `it is of kind ${place.magic}, those before it are ${this.first.magic}. Two files were joined: read each by itself`,
        );
      return await FileRecord.read(file, place, this.options.largeFrom ?? LARGE_FROM);
    } catch (error) {
      if (!this.mayPassOver(error, place)) throw error;
      this.tornTail = { record: number, offset, bytes: file.size - offset };
      return undefined;
    }
  }

  /** A record that is cut off, or one that is not what its hash says and has nothing after it. */
  private mayPassOver(error: unknown, place: RecordPlace | undefined): boolean {
    if (
      !this.options.allowTornTail ||
      !this.first ||
      this.count < LEAST_BEFORE_TORN[this.first.magic] ||
      !(error instanceof OvsdbError)
    )
      return false;
    return (
      error.code === 'truncated' ||
      (error.code === 'hash-mismatch' &&
        place?.start !== undefined &&
        place.start + place.length === this.file.size)
    );
  }
}
