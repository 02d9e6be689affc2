import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { whyNoFolder, whyUnreadable, whyUnwritable } from './file-trouble';

const folder = mkdtempSync(join(tmpdir(), 'file-trouble-'));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, 'file'), '');

function thrownBy(step: () => unknown): unknown {
  try {
    step();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
const coded = (code: string): Error => Object.assign(new Error(`${code}: x`), { code });

test.each([
  ['what is not there', join(folder, 'none'), /^it does not exist;/],
  ['a folder', folder, /^it is a folder;/],
  ['what lies below a file', join(folder, 'file', 'x'), /^it, or a part of its path, is not a fo/],
])('%s cannot be read, without the system’s words', (_, path, says) => {
  expect(whyUnreadable(thrownBy(() => readFileSync(path)))).toMatch(says);
});

test.each([
  ['in a folder that is not there', join(folder, 'none', 'x'), /^its folder does not exist;/],
  ['over a file', join(folder, 'file'), /^it exists, and no file is replaced;/],
  ['below a file', join(folder, 'file', 'x'), /^a part of its path is a file;/],
])('%s nothing can be written', (_, path, says) => {
  expect(whyUnwritable(thrownBy(() => writeFileSync(path, '', { flag: 'wx' })))).toMatch(says);
});

test.each([
  ['EACCES', /^this user may not read it;/, /^this user may not write there;/, /may not make it;/],
  ['EROFS', /^EROFS: x$/, /^its file system is mounted read-only;/, /is mounted read-only;/],
  ['ENOSPC', /^ENOSPC: x$/, /^its disk has no space left;/, /has no space left;/],
  ['EISDIR', /^it is a folder;/, /^it is a folder;/, /^EISDIR: x; name another folder$/],
  ['EIO', /^EIO: x$/, /^EIO: x$/, /^EIO: x; name another folder$/],
])('%s', (code, unreadable, unwritable, noFolder) => {
  expect(whyUnreadable(coded(code))).toMatch(unreadable);
  expect(whyUnwritable(coded(code))).toMatch(unwritable);
  expect(whyNoFolder(coded(code))).toMatch(noFolder);
});

test('an error without a code keeps its words', () => {
  expect([whyUnreadable(new Error('odd')), whyUnwritable('odd')]).toEqual(['odd', 'odd']);
});
