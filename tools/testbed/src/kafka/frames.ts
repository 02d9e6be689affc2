/**
 * Cuts a byte stream into Kafka's frames: four bytes of length, big-endian, and that many bytes.
 * Give it each chunk as it comes; it gives the frames now complete, their length still in front.
 */
export function frameCutter(): (chunk: Buffer) => Buffer[] {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const frames: Buffer[] = [];
    while (rest.length >= 4 && rest.length >= 4 + rest.readUInt32BE(0)) {
      const end = 4 + rest.readUInt32BE(0);
      frames.push(rest.subarray(0, end));
      rest = rest.subarray(end);
    }
    return frames;
  };
}

/**
 * What a request's header says that matters to whoever stands in between (Kafka protocol, request
 * header v0 on).
 */
export interface RequestHeader {
  readonly apiKey: number;
  readonly correlationId: number;
}

/** Reads the header of a request's frame; undefined for one too short to be a request. */
export const requestHeader = (frame: Buffer): RequestHeader | undefined =>
  frame.length < 12
    ? undefined
    : { apiKey: frame.readInt16BE(4), correlationId: frame.readInt32BE(8) };

/**
 * The correlation id a response's frame begins with; undefined for one too short to be a response.
 */
export const responseCorrelation = (frame: Buffer): number | undefined =>
  frame.length < 8 ? undefined : frame.readInt32BE(4);
