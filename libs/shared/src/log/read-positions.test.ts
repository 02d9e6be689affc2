import {
  forgetPositions,
  READ_POSITIONS_TABLE,
  readPosition,
  savePosition,
} from './read-positions';
import { type Database, openSqliteDatabase } from './sqlite-database';

let db: Database;

beforeEach(() => {
  db = openSqliteDatabase(':memory:');
  db.exec(READ_POSITIONS_TABLE);
  db.exec('CREATE TABLE finding (partition INTEGER NOT NULL, id TEXT NOT NULL) STRICT');
  for (const partition of [0, 1]) {
    db.prepare('INSERT INTO finding (partition, id) VALUES (?, ?)').run(partition, 'a');
    savePosition(db, partition, { next: 2n ** 60n + BigInt(partition), at: 5 });
  }
});
afterEach(() => db.close());

const findings = (): unknown[] => db.prepare('SELECT partition FROM finding').pluck().all();

test('a position keeps every digit, and the last one saved counts', () => {
  expect(readPosition(db, 1)).toEqual({ next: 2n ** 60n + 1n, at: 5 });
  savePosition(db, 1, { next: 7n, at: 6 });
  expect(readPosition(db, 1)).toEqual({ next: 7n, at: 6 });
  expect(readPosition(db, 2)).toBeUndefined();
});

test('a partition is forgotten with what was read of it, and no other', () => {
  forgetPositions(db, ['finding'], 0);
  expect([readPosition(db, 0), readPosition(db, 1)?.at, findings()]).toEqual([undefined, 5, [1]]);
});

test('without a partition all is forgotten', () => {
  forgetPositions(db, ['finding'], undefined);
  expect([readPosition(db, 0), readPosition(db, 1), findings()]).toEqual([
    undefined,
    undefined,
    [],
  ]);
});
