import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { RunPrinter } from './run-printer';

const example = <T>(name: string): T =>
  JSON.parse(
    readFileSync(join(__dirname, '../../../../contracts/examples', `${name}.json`), 'utf8'),
  ) as T;
const FINDING = example<Finding>('finding.v1.confirmed');
const doneBy = (name: string) =>
  ({ type: 'action', action: example<ActionRecord>(`action.v1.${name}`) }) as const;

const written = { stdout: '', stderr: '' };
beforeEach(() => {
  Object.assign(written, { stdout: '', stderr: '' });
  for (const to of ['stdout', 'stderr'] as const)
    jest.spyOn(process[to], 'write').mockImplementation((text) => {
      written[to] += String(text);
      return true;
    });
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

it('prints of a trouble nothing that acts on a terminal', () => {
  new RunPrinter('text').report('log', 'x\nINJECTED\u001b]0;title\u0007');
  expect(written.stderr.endsWith('\n')).toBe(true);
  expect(written.stderr.trimEnd()).not.toMatch(/\p{Cc}/u);
});

it('prints a finding in a line of text, or as it is', () => {
  new RunPrinter('text').findings([FINDING, FINDING]);
  const lines = written.stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain(`${FINDING.rule}: `);
  written.stdout = '';
  new RunPrinter('ndjson').findings([FINDING]);
  expect(JSON.parse(written.stdout)).toEqual(FINDING);
});

it('prints what the executor does in text only, and its troubles on standard error', () => {
  const printers = [new RunPrinter('text'), new RunPrinter('ndjson')];
  for (const printer of printers) {
    printer.executor(doneBy('done'));
    printer.executor({ type: 'failed', error: 'it is gone', retryInMs: 1 });
  }
  expect(written.stdout).toMatch(/^done .*remove-load-balancer-vip.*\n$/);
  expect(written.stderr).toBe('executor: it is gone\nexecutor: it is gone\n');
});

it('ends in text with what is open and what was removed, and in ndjson with nothing', () => {
  new RunPrinter('ndjson').ending([], [], 'state');
  expect(written.stdout).toBe('');
  const printer = new RunPrinter('text');
  printer.executor(doneBy('done'));
  printer.executor(doneBy('done'));
  printer.executor(doneBy('deferred'));
  printer.ending([FINDING], [], 'state');
  expect(written.stdout).toContain('1 finding stands, 1 of them confirmed. 2 things were removed');
  expect(written.stdout).toContain('--state-dir state');
});

it('does not end as if all were well where something could not be judged', () => {
  const withheld = { rule: 'leaked-ip', subject: null, reason: 'Pods are not known' };
  new RunPrinter('text').ending([], [withheld], 'state');
  expect(written.stdout).toContain(
    '0 findings stand, 0 of them confirmed. Not everything could be judged. Nothing was changed.',
  );
});
