import fc from 'fast-check';
import { frameCutter, requestHeader, responseCorrelation } from './frames';

const frame = (body: Uint8Array): Buffer => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length);
  return Buffer.concat([length, body]);
};

test('frames come out whole and in order, however the bytes were cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 40 })),
      fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
      (bodies, sizes) => {
        const frames = bodies.map(frame);
        const all = Buffer.concat(frames);
        const cut = frameCutter();
        const seen: Buffer[] = [];
        for (let at = 0; at < all.length;) {
          const size = sizes.next().value ?? 1;
          seen.push(...cut(all.subarray(at, at + size)));
          at += size;
        }
        expect(seen.map((each) => each.toString('hex'))).toEqual(
          frames.map((each) => each.toString('hex')),
        );
      },
    ),
  );
});

test('headers are read where the protocol puts them, and not beyond the end of a frame', () => {
  const request = frame(Buffer.from([0, 3, 0, 6, 0, 0, 1, 2, 255, 255]));
  expect(requestHeader(request)).toEqual({ apiKey: 3, correlationId: 258 });
  expect(responseCorrelation(frame(Buffer.from([0, 0, 1, 2, 9])))).toBe(258);
  expect(requestHeader(frame(Buffer.from([0, 3, 0])))).toBeUndefined();
  expect(responseCorrelation(frame(Buffer.from([0])))).toBeUndefined();
});
