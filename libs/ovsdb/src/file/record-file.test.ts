import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { record, scratch, standalone } from '../../test/records';
import { RecordFile } from './record-file';

const files = scratch();
afterAll(() => files.remove());

async function placeAt(bytes: Buffer, number = 0, offset = 0): Promise<unknown> {
  const file = await RecordFile.open(files.file(bytes));
  return file.place(number, offset).finally(() => file.close());
}

test('finds the records one after the other, then the end', async () => {
  const one = record('JSON', { a: 1 });
  const two = record('CLUSTER', 5);
  const both = Buffer.concat([one, two]);
  expect(await placeAt(both)).toMatchObject({
    number: 0,
    offset: 0,
    magic: 'JSON',
    start: one.indexOf('{'),
    length: 8,
  });
  expect(await placeAt(both, 1, one.length)).toMatchObject({
    number: 1,
    offset: one.length,
    magic: 'CLUSTER',
    length: 2,
  });
  expect(await placeAt(both, 2, both.length)).toBeUndefined();
});

test.each([
  ['an empty file', Buffer.alloc(0), 'it is empty'],
  ['a compressed file', gzipSync('OVSDB JSON'), 'unpack it first'],
  ['a text', Buffer.from('{"name":"OVN_Northbound"}'), 'does not begin with'],
  [
    'another kind of OVSDB log',
    record('JSON', 1).fill('OVSDB BTREE', 0, 11),
    'does not begin with',
  ],
])('%s is not a database', async (_what, bytes, why) => {
  await expect(placeAt(bytes)).rejects.toMatchObject({
    code: 'not-a-database',
    message: expect.stringContaining(why),
  });
});

test('what is no record after one is corrupt, with its number and byte', async () => {
  const bytes = Buffer.concat([record('JSON', 1), Buffer.alloc(200)]);
  await expect(placeAt(bytes, 1, record('JSON', 1).length)).rejects.toMatchObject({
    code: 'corrupt',
    message: expect.stringContaining(`record 1 at byte ${record('JSON', 1).length}`),
  });
});

test('a file that ends anywhere inside a record is truncated', async () => {
  const one = record('JSON', { a: 1 });
  const both = Buffer.concat([one, one]);
  for (let end = one.length + 1; end < both.length; end++)
    await expect(placeAt(both.subarray(0, end), 1, one.length)).rejects.toMatchObject({
      code: 'truncated',
    });
  for (let end = 1; end < one.length; end++)
    await expect(placeAt(one.subarray(0, end))).rejects.toMatchObject({ code: 'truncated' });
});

test('bytes that are not those of the hash are found out, read whole or in pieces', async () => {
  const bytes = standalone({ a: 1 });
  bytes[bytes.length - 3] = 0x32;
  const file = await RecordFile.open(files.file(bytes));
  const place = await file.place(0, 0);
  if (!place) throw new Error('no record');
  await expect(file.content(place)).rejects.toMatchObject({
    code: 'hash-mismatch',
    message: expect.stringContaining('record 0 at byte 0'),
  });
  await expect(file.check(place)).rejects.toMatchObject({ code: 'hash-mismatch' });
  await file.close();
});

test('records of every size are found and read intact, however they lie to what is read ahead', async () => {
  const sizes = [
    10,
    300_000,
    1_048_576,
    7,
    262_144,
    700_000,
    3_000_000,
    ...Array.from({ length: 400 }, (_, n) => n * 17),
  ];
  const file = await RecordFile.open(
    files.file(standalone(...sizes.map((size) => 'x'.repeat(size)))),
  );
  const found: number[] = [];
  for (let offset = 0, number = 0; ; number++) {
    const place = await file.place(number, offset);
    if (!place) break;
    await file.check(place);
    found.push((await file.content(place)).length - '""\n'.length);
    offset = place.start + place.length;
  }
  expect(found).toEqual(sizes);
  await file.close();
});

test('says what is wrong with the path', async () => {
  mkdirSync(files.path('folder'));
  await expect(RecordFile.open(files.path('nothing'))).rejects.toMatchObject({
    code: 'not-found',
    message: expect.stringContaining(files.path('nothing')),
  });
  await expect(RecordFile.open(files.path('folder'))).rejects.toMatchObject({ code: 'unreadable' });
});

test('a pipe is refused, and not waited for', async () => {
  execFileSync('mkfifo', [files.path('pipe')]);
  await expect(RecordFile.open(files.path('pipe'))).rejects.toMatchObject({
    code: 'unreadable',
    message: expect.stringContaining('it is not a regular file'),
  });
});

test('stops when asked to', async () => {
  const file = await RecordFile.open(
    files.file(standalone(1)),
    AbortSignal.abort(new Error('enough')),
  );
  await expect(file.place(0, 0)).rejects.toThrow('enough');
  await file.close();
});
