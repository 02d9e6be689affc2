import { FollowedStore } from './followed-store';
import { openStateFile, type StateFile } from './state-file';

class Findings extends FollowedStore {
  constructor(file: StateFile, version = 1) {
    super(file, {
      name: 'findings',
      version,
      tables: ['finding'],
      make: 'CREATE TABLE finding (partition INTEGER NOT NULL, id TEXT NOT NULL) STRICT;',
    });
  }

  put(partition: number, id: string, next: bigint, at: number): void {
    this.applied(partition, { next, at }, () => {
      this.db.prepare('INSERT INTO finding (partition, id) VALUES (?, ?)').run(partition, id);
      if (id === '') throw new Error('no id');
    });
  }

  all(): unknown[] {
    return this.db.prepare('SELECT partition FROM finding').pluck().all();
  }
}

let file: StateFile;
let store: Findings;

beforeEach(() => {
  file = openStateFile(':memory:');
  store = new Findings(file);
  for (const partition of [0, 1]) store.put(partition, 'a', 2n ** 60n + BigInt(partition), 5);
});
afterEach(() => file.close());

test('a position keeps every digit, and the last one saved counts', () => {
  expect(store.position(1)).toEqual({ next: 2n ** 60n + 1n, at: 5 });
  store.put(1, 'b', 7n, 6);
  expect(store.position(1)).toEqual({ next: 7n, at: 6 });
  expect(store.position(2)).toBeUndefined();
});

test('a batch that fails moves no position and leaves nothing', () => {
  expect(() => store.put(1, '', 9n, 7)).toThrow('no id');
  expect([store.position(1)?.at, store.all()]).toEqual([5, [0, 1]]);
});

test('a partition is forgotten with what was read of it, and no other', () => {
  store.forget(0);
  expect([store.position(0), store.position(1)?.at, store.all()]).toEqual([undefined, 5, [1]]);
});

test('without a partition all is forgotten', () => {
  store.forget();
  expect([store.position(0), store.position(1), store.all()]).toEqual([undefined, undefined, []]);
});

test('the same version goes on; another is recreated', () => {
  expect(new Findings(file).all()).toEqual([0, 1]);
  const anew = new Findings(file, 2);
  expect([anew.position(0), anew.all()]).toEqual([undefined, []]);
});
