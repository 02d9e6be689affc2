const START = 64;

/** Numbers of 32 bits by place, of which there may be millions: half of what an array takes. */
export const growing = (): Int32Array<ArrayBuffer> => new Int32Array(START);

/** The same with a quarter more places, which hold `rest`. */
export function grown(from: Int32Array<ArrayBuffer>, rest = 0): Int32Array<ArrayBuffer> {
  const to = new Int32Array(from.length + (from.length >> 2));
  to.set(from);
  if (rest !== 0) to.fill(rest, from.length);
  return to;
}
