import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report as ReportDocument } from './report/report';
import { EXIT } from './process/exit-codes';
import { steward } from './testing/cli';

const RECORDING = join(__dirname, '../../../examples/recordings/leaky');
const INPUT = ['--ovn-nb', join(RECORDING, 'nb.db'), '--kubernetes', RECORDING];
let state: string;
beforeAll(async () => {
  state = mkdtempSync(join(tmpdir(), 'steward-report-'));
  await steward(['run', ...INPUT, '--cluster', 'demo', '--state-dir', state, '--until-quiet', '1']);
});
afterAll(() => rmSync(state, { recursive: true }));

const report = async (...args: string[]) => {
  const { code, stdout, stderr } = await steward(['report', ...args]);
  return { code, stderr, stdout };
};
const json = async (...args: string[]): Promise<ReportDocument> =>
  JSON.parse((await report(...args, '--output', 'json')).stdout) as ReportDocument;

test('reports of the memory of a pipeline what it knows, and of which subnets', async () => {
  const observe = await json(...INPUT, '--cluster', 'demo');
  const memory = await json('--state-dir', state);
  expect(memory).toMatchObject({ readFrom: 'memory', cluster: 'demo' });
  for (const same of ['summary', 'tenants', 'causes'] as const)
    expect({ [same]: memory[same] }).toEqual({ [same]: observe[same] });
  const lost = ({ subnets }: ReportDocument) => subnets.map((it) => [it.name, it.lost, it.free]);
  expect(lost(memory)).toEqual(lost(observe));
  const { stdout } = await steward(['findings', '--state-dir', state, '--output', 'json']);
  const known = JSON.parse(stdout) as { id: string; firstSeen: string }[];
  const ages = (all: typeof known) => Object.fromEntries(all.map((it) => [it.id, it.firstSeen]));
  expect(ages([...memory.findings])).toEqual(ages(known));
});

test('ends with 2 where something was found', async () => {
  expect(await report('--state-dir', state, '--output', 'text')).toMatchObject({
    code: EXIT.findings,
    stdout: expect.stringContaining('Addresses lost by subnet'),
  });
});

test.each([
  ['both', () => ['--state-dir', state, ...INPUT], /Both a pipeline and --ovn-nb/],
  ['neither', () => [], /No Northbound database is named/],
  ['no memory', () => ['--state-dir', join(state, 'nothing')], /does not exist/],
  [
    'another cluster',
    () => ['--state-dir', state, '--cluster', 'x'],
    /belongs to the cluster demo/,
  ],
])('refuses %s', async (_, args, why) => {
  const { code, stderr, stdout } = await report(...args());
  expect({ code, stdout }).toEqual({ code: EXIT.error, stdout: '' });
  expect(stderr).toMatch(why);
});
