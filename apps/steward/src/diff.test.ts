import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditDocument } from '@ovn-steward/contracts/audit';
import { EXIT } from './process/exit-codes';
import { smallAudit } from './report/testing/small-report';
import { steward } from './testing/cli';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'steward-diff-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, content: string | object): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
const audit = (name: string, changed: Partial<AuditDocument> = {}): string =>
  file(name, { ...smallAudit(), ...changed });

test.each([
  ['nothing changed', {}, {}, EXIT.nothingFound],
  ['something is new', { findings: [] }, {}, EXIT.findings],
  ['something is resolved', {}, { findings: [], unknowns: [] }, EXIT.nothingFound],
  [
    'something could not be judged any more',
    {},
    {
      findings: [],
      unknowns: [{ rule: smallAudit().findings[0]!.rule, subject: null, reason: 'why' }],
    },
    EXIT.couldNotKnow,
  ],
])('steward diff: %s', async (_, before, after, code) => {
  const paths = [audit('a.json', before), audit('b.json', after)];
  expect(await steward(['diff', ...paths])).toMatchObject({ code, stderr: '' });
});

test.each<[title: string, before: () => string, after: () => string, why: RegExp]>([
  [
    'other cluster',
    () => audit('a'),
    () => audit('b', { cluster: 'x' }),
    /only two of one cluster/,
  ],
  [
    'wrong order',
    () => audit('a', { asOf: '2099-01-01T00:00:00Z' }),
    () => audit('b'),
    /older one/,
  ],
  ['later version', () => audit('a'), () => audit('b', { version: 2 as never }), /version/],
  ['cut off', () => audit('a'), () => file('b', '{"version":1'), /not JSON, or only a part/],
  ['something else', () => audit('a'), () => file('b', '[]'), /not an audit document/],
  ['not there', () => audit('a'), () => join(folder, 'nothing'), /does not exist/],
])('steward diff refuses: %s', async (_, before, after, why) => {
  const { code, stderr, stdout } = await steward(['diff', before(), after()]);
  expect({ code, stdout }).toEqual({ code: EXIT.error, stdout: '' });
  expect(stderr).toMatch(why);
  expect(stderr.trimEnd()).not.toContain('\n');
});

test('steward diff --output json is one document', async () => {
  const paths = [audit('a.json', { findings: [] }), audit('b.json')];
  const { stdout } = await steward(['diff', ...paths, '--output', 'json']);
  expect(JSON.parse(stdout)).toMatchObject({ version: 1, cluster: 'berlin-1', unchanged: 0 });
});
