import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decision } from '../testing/controls';
import { NOW } from '../testing/findings';
import { ControlInbox, inboxFailure } from './control-inbox';

test('the same id twice is the first of them, at its place', () => {
  const folder = mkdtempSync(join(tmpdir(), 'inbox-'));
  const inbox = new ControlInbox(join(folder, 'control.db'));
  try {
    const first = decision({ type: 'undo', of: 'a' });
    const second = decision({ type: 'undo', of: 'b' });
    inbox.add(first, NOW, 'v=1');
    inbox.add(second, NOW);
    inbox.add(first, NOW, 'v=2');
    expect(inbox.waiting().map((it) => [it.id, it.signature])).toEqual([
      [first.id, 'v=1'],
      [second.id, null],
    ]);
    inbox.remove(first.id);
    expect([inbox.has(first.id), inbox.has(second.id)]).toEqual([false, true]);
  } finally {
    inbox.close();
    rmSync(folder, { recursive: true });
  }
});

test.each(['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE'])(
  'on a full disk (%s) it is kept, with what waits in it',
  (code) => {
    const failure = inboxFailure('control.db', Object.assign(new Error('it failed'), { code }));
    expect(failure.code).toBe('log-full');
    expect(failure.message).toBe(
      'control.db cannot grow: free space on its disk, then try again. What waits in it is kept.',
    );
  },
);
