import type { Duplex } from 'node:stream';

/** Types of control frames (SPDY 3.1, section 2.6). */
const [SYN_STREAM, SYN_REPLY, PING] = [1, 2, 6] as const;
const VERSION = 3;
const FIN = 1;

/** What the other side of a connection opens streams for. */
export interface StreamsOfPeer {
  /** A stream was opened, and is answered; they come in the order in which they were opened. */
  opened(id: number): void;
}

/**
 * A connection of SPDY 3.1 that only answers: enough for a kubelet's `/exec`, which the API server
 * passes on as it is.
 */
export interface SpdyConnection {
  /** Sends text, and ends our side of that stream. */
  finish(id: number, text: string): void;
}

export function answerSpdy(socket: Duplex, peer: StreamsOfPeer): SpdyConnection {
  let rest: Buffer = Buffer.alloc(0);
  let replies = 0;
  const answered = (id: number): void => {
    const block = noHeaders((replies += 1) === 1);
    socket.write(Buffer.concat([control(SYN_REPLY, 4 + block.length), number(id), block]));
    peer.opened(id);
  };
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 8 && rest.length >= 8 + rest.readUIntBE(5, 3)) {
      const whole = rest.subarray(0, 8 + rest.readUIntBE(5, 3));
      rest = rest.subarray(whole.length);
      const isControl = (whole[0]! & 0x80) !== 0;
      const type = isControl ? whole.readUInt16BE(2) : 0;
      if (type === SYN_STREAM) answered(whole.readUInt32BE(8) & 0x7fffffff);
      // Who asks gets its own frame back.
      if (type === PING) socket.write(whole);
    }
  });
  socket.on('error', () => undefined);
  return {
    finish: (id, text) =>
      void socket.write(Buffer.concat([number(id), flagged(FIN, text.length), Buffer.from(text)])),
  };
}

const number = (value: number): Buffer => {
  const four = Buffer.alloc(4);
  four.writeUInt32BE(value);
  return four;
};

/** Flags in one byte, a length in three. */
const flagged = (flags: number, length: number): Buffer => number(flags * 0x1000000 + length);

const control = (type: number, length: number): Buffer =>
  Buffer.concat([number(0x80000000 + VERSION * 0x10000 + type), flagged(0, length)]);

/**
 * A count of headers, which is 0, as a part of the zlib stream that all replies share: its start
 * (RFC 1950), the four bytes in a stored block, and an empty block, by which the reader sees that
 * it has all (RFC 1951, section 3.2.4).
 */
const noHeaders = (isFirst: boolean): Buffer =>
  Buffer.from([
    ...(isFirst ? [0x78, 0x01] : []),
    ...[0, 4, 0, 0xfb, 0xff, 0, 0, 0, 0],
    ...[0, 0, 0, 0xff, 0xff],
  ]);
