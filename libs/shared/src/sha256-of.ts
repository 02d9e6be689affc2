import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** The digest of a file, in hex, and how long the file is. @throws the system's error. */
export async function sha256Of(
  path: string,
): Promise<{ readonly sha256: string; readonly bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(piece);
    bytes += piece.length;
  }
  return { sha256: hash.digest('hex'), bytes };
}
