import { RunPrinter } from './run-printer';

const written = { stdout: '', stderr: '' };
beforeEach(() => {
  Object.assign(written, { stdout: '', stderr: '' });
  for (const to of ['stdout', 'stderr'] as const)
    jest
      .spyOn(process[to], 'write')
      .mockImplementation((text) => ((written[to] += String(text)), true));
});
afterEach(() => jest.restoreAllMocks());

it('prints a trouble once for as long as it stays the same', () => {
  const printer = new RunPrinter('text');
  printer.report('log', 'it is full');
  printer.report('log', 'it is full');
  printer.report('log', 'it is slow');
  printer.report('log', 'it is full');
  expect(written.stderr).toBe('log: it is full\nlog: it is slow\nlog: it is full\n');
});

it('ends in text with what is open and what was removed, and in ndjson with nothing', () => {
  new RunPrinter('ndjson').ending([], 'state');
  expect(written.stdout).toBe('');
  new RunPrinter('text').ending([], 'state');
  expect(written.stdout).toContain('state');
});
