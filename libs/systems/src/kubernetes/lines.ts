import { isUtf8 } from 'node:buffer';

/** etcd refuses objects above 1.5 MiB; ten times that is not an object. */
const LONGEST_LINE = 16 * 1024 * 1024;

/** Splits bytes into lines. A character may be cut by a chunk: only whole lines are decoded. */
export interface LineSplitter {
  /**
   * The lines that ended in this chunk; undefined when one of them is not UTF-8 or no line ends for
   * too long.
   */
  push(chunk: Buffer): string[] | undefined;
  /** Bytes of a line that has begun and not ended. */
  readonly pending: number;
}

export function createLineSplitter(longest: number = LONGEST_LINE): LineSplitter {
  let parts: Buffer[] = [];
  let pending = 0;
  return {
    get pending() {
      return pending;
    },
    push(chunk) {
      const lines: string[] = [];
      let from = 0;
      for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, from)) {
        const last = chunk.subarray(from, at);
        const line = parts.length > 0 ? Buffer.concat([...parts, last]) : last;
        parts = [];
        pending = 0;
        from = at + 1;
        if (!isUtf8(line)) return undefined;
        if (line.length > 0) lines.push(line.toString('utf8'));
      }
      if (from < chunk.length) {
        parts.push(chunk.subarray(from));
        pending += chunk.length - from;
      }
      return pending > longest ? undefined : lines;
    },
  };
}
