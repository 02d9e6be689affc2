import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Characters written at once. */
const AT_ONCE = 65_536;

/**
 * Writes a long text piece by piece, no faster than it is taken: it never stands in memory as a
 * whole. Whoever reads it may stop reading: then the rest is not written.
 */
export async function writePieces(
  pieces: Iterable<string>,
  to: NodeJS.WritableStream = process.stdout,
): Promise<void> {
  try {
    await pipeline(Readable.from(gathered(pieces), { objectMode: true }), to, { end: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}

function* gathered(pieces: Iterable<string>): Generator<string> {
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length < AT_ONCE) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}
