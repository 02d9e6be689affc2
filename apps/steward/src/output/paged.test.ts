import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printPaged } from './paged';

const LONG = 'a line\n'.repeat(30);
const SCREEN = { rows: 24 };
let folder: string;
let printed: string;
const before = process.env['PAGER'];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'steward-pager-'));
  printed = '';
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  process.env['PAGER'] = `cat > ${join(folder, 'paged')}`;
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true });
  if (before === undefined) delete process.env['PAGER'];
  else process.env['PAGER'] = before;
});
const paged = (): string => readFileSync(join(folder, 'paged'), 'utf8');

test('what is longer than the terminal goes through PAGER', () => {
  printPaged(LONG, {}, SCREEN);
  expect([paged(), printed]).toEqual([LONG, '']);
});

test.each<[string, string, object, { rows: number } | undefined]>([
  ['what fits', 'a line\n', {}, SCREEN],
  ['with --no-pager all', LONG, { pager: false }, SCREEN],
  ['into a pipe all', LONG, {}, undefined],
])('%s is printed as it is', (_what, text, options, screen) => {
  printPaged(text, options, screen);
  expect(printed).toBe(text);
  expect(paged).toThrow('ENOENT');
});

test.each(['', 'no-such-pager-anywhere'])('with PAGER=%p it is printed as it is', (pager) => {
  process.env['PAGER'] = pager;
  printPaged(LONG, {}, SCREEN);
  expect(printed).toBe(LONG);
});
