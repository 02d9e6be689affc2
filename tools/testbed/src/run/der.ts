/** The few pieces of ASN.1 DER (X.690) that a certificate is made of. */
export const der = (tag: number, ...contents: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content]);
};

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes = Buffer.from(
    length.toString(16).padStart(length > 0xffff ? 6 : length > 0xff ? 4 : 2, '0'),
    'hex',
  );
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes]);
}

export const sequence = (...contents: readonly Uint8Array[]): Buffer => der(0x30, ...contents);
export const setOf = (...contents: readonly Uint8Array[]): Buffer => der(0x31, ...contents);
export const utf8 = (text: string): Buffer => der(0x0c, Buffer.from(text));
export const octets = (content: Uint8Array): Buffer => der(0x04, content);
export const bits = (content: Uint8Array, unused = 0): Buffer =>
  der(0x03, Buffer.from([unused]), content);
export const boolean = (value: boolean): Buffer => der(0x01, Buffer.from([value ? 0xff : 0]));
/** A positive integer from its bytes, most significant first. */
export const integer = (bytes: Uint8Array): Buffer =>
  der(0x02, (bytes[0] ?? 0) >= 0x80 ? Buffer.from([0]) : Buffer.alloc(0), bytes);
/** Contextual, constructed: `[n]` of the specification. */
export const context = (n: number, ...contents: readonly Uint8Array[]): Buffer =>
  der(0xa0 + n, ...contents);

/** An object identifier in dots. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const groups = rest.map((arc) => {
    const bytes = [arc & 0x7f];
    for (let left = arc >>> 7; left > 0; left >>>= 7) bytes.unshift((left & 0x7f) | 0x80);
    return Buffer.from(bytes);
  });
  return der(0x06, Buffer.from([first * 40 + second]), ...groups);
}

/** UTCTime, to the second: what RFC 5280 asks for until 2049. */
export const time = (date: Date): Buffer =>
  der(
    0x17,
    Buffer.from(
      `${date
        .toISOString()
        .replaceAll(/[-:T]|\.\d+Z/g, '')
        .slice(2)}Z`,
    ),
  );
