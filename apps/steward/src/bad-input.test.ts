import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RECORDINGS } from './testing/truth';
import { steward } from './testing/cli';

const LEAKY = join(RECORDINGS, 'leaky');
const NB = join(LEAKY, 'nb.db');
let folder = '';
const at = (name: string): string => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'steward-bad-'));
  cpSync(NB, at('cut.db'));
  truncateSync(at('cut.db'), 100_000);
  writeFileSync(at('text.db'), 'this is no database\n');
  writeFileSync(at('empty.db'), '');
  writeFileSync(at('cut.json'), readFileSync(join(LEAKY, 'kubernetes.json')).subarray(0, 200_000));
  writeFileSync(at('text.json'), 'no JSON at all');
  writeFileSync(at('bad.yaml'), 'cluster: [\n');
  writeFileSync(at('unknown-key.yaml'), 'clutser: x\n');
  mkdirSync(at('nothing'));
  mkdirSync(at('theirs'));
  writeFileSync(at('theirs/cluster'), 'theirs\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

const cases: readonly [name: string, args: () => string[], says: RegExp][] = [
  ['no database named', () => ['audit', '--kubernetes', LEAKY], /Northbound/],
  [
    'a database cut short',
    () => ['audit', '--ovn-nb', at('cut.db'), '--kubernetes', LEAKY],
    /cut\.db.*(cut|short|end|truncated)/i,
  ],
  [
    'a file that is no database',
    () => ['audit', '--ovn-nb', at('text.db'), '--kubernetes', LEAKY],
    /text\.db.*(no|not).*database/i,
  ],
  [
    'a folder for a database',
    () => ['audit', '--ovn-nb', LEAKY, '--kubernetes', LEAKY],
    /leaky is a folder\. Give the database file in it\.$/m,
  ],
  [
    'an empty file',
    () => ['audit', '--ovn-nb', at('empty.db'), '--kubernetes', LEAKY],
    /empty\.db/,
  ],
  [
    'a database that is not there',
    () => ['audit', '--ovn-nb', at('none.db'), '--kubernetes', LEAKY],
    /none\.db/,
  ],
  [
    'the Southbound given for the Northbound',
    () => ['audit', '--ovn-nb', join(LEAKY, 'sb.db'), '--kubernetes', LEAKY],
    /OVN_(North|South)bound/,
  ],
  [
    'a dump cut short',
    () => ['audit', '--ovn-nb', NB, '--kubernetes', at('cut.json')],
    /cut\.json/,
  ],
  [
    'a file that is no dump',
    () => ['audit', '--ovn-nb', NB, '--kubernetes', at('text.json')],
    /text\.json/,
  ],
  ['a dump that is not there', () => ['audit', '--ovn-nb', NB, '--kubernetes', at('none')], /none/],
  [
    'an empty folder for a dump',
    () => ['audit', '--ovn-nb', NB, '--kubernetes', at('nothing')],
    /nothing/,
  ],
  [
    'nobody listening',
    () => ['audit', '--ovn-nb', 'tcp:127.0.0.1:1', '--kubernetes', LEAKY, '--timeout', '8'],
    /127\.0\.0\.1:1/,
  ],
  [
    'a remote that is none',
    () => ['audit', '--ovn-nb', 'tcp:nowhere', '--kubernetes', LEAKY],
    /tcp:nowhere|remote/,
  ],
  [
    'an ssl remote without a CA',
    () => ['audit', '--ovn-nb', 'ssl:127.0.0.1:1', '--kubernetes', LEAKY],
    /caCertificate|ovn-ca/,
  ],
  [
    'settings that are no YAML',
    () => ['audit', '--config', at('bad.yaml'), '--ovn-nb', NB, '--kubernetes', LEAKY],
    /bad\.yaml/,
  ],
  ['an unknown setting', () => ['config', '--config', at('unknown-key.yaml')], /clutser.*cluster/s],
  [
    'an unknown option',
    () => ['audit', '--ovn-northbound', NB],
    /^steward: unknown option '--ovn-northbound'\. See steward audit --help\.\n$/,
  ],
  [
    'an argument that is missing, below a command of commands',
    () => ['stream', 'check'],
    /^steward: missing required argument 'file'\. See steward stream check --help\.\n$/,
  ],
  [
    'an argument too many',
    () => ['guard', 'status', 'now'],
    /Expected 0 arguments but got 1\. See steward guard status --help\.\n$/,
  ],
  [
    'an unknown command',
    () => ['dotcor'],
    /^steward: unknown command 'dotcor' \(Did you mean doctor\?\)\. See steward --help\.\n$/,
  ],
  ['no Northbound to act on', () => ['plan'], /give steward --ovn-nb/],
  [
    'no cluster to act on',
    () => ['plan', '--ovn-nb', 'tcp:127.0.0.1:1'],
    /No kubeconfig.*--kubernetes <kubeconfig>/,
  ],
  [
    'an output that is none',
    () => ['audit', '--output', 'xml', '--ovn-nb', NB, '--kubernetes', LEAKY],
    /xml/,
  ],
  [
    'a run with an output that is none',
    () => ['run', '--output', 'xml', '--ovn-nb', NB, '--kubernetes', LEAKY],
    /xml/,
  ],
  [
    'the state directory of another cluster',
    () => [
      'run',
      '--cluster',
      'mine',
      '--state-dir',
      at('theirs'),
      '--ovn-nb',
      NB,
      '--kubernetes',
      LEAKY,
    ],
    /belongs to the cluster theirs.*mine/,
  ],
  [
    'findings of another cluster than the state directory’s',
    () => ['findings', '--cluster', 'mine', '--state-dir', at('theirs')],
    /belongs to the cluster theirs.*mine/,
  ],
  [
    'a file for a state directory',
    () => ['run', '--state-dir', at('text.db'), '--ovn-nb', NB, '--kubernetes', LEAKY],
    /text\.db cannot be used as a folder: it, or a part of its path, is a file/,
  ],
  [
    'a folder for a plan that is not there, before the systems are read',
    () => [
      ...['plan', '--out', at('none/plan.yaml'), '--look'],
      ...['--ovn-nb', 'tcp:127.0.0.1:1', '--kubernetes', 'kubeconfig'],
    ],
    /none\/plan\.yaml cannot be written: its folder does not exist; make it, or name another\./,
  ],
  [
    'a plan that is not there',
    () => ['apply', at('none.yaml'), '--ovn-nb', 'tcp:127.0.0.1:1', '--kubernetes', 'kubeconfig'],
    /none\.yaml does not exist: check the path, or make one with steward plan --out/,
  ],
  [
    'a server that is not there',
    () => ['findings', '--server', 'http://127.0.0.1:1'],
    /127\.0\.0\.1:1 cannot be reached \(.*\): check the address, --server-ca, and that the server runs\.$/m,
  ],
  [
    'a state directory without a pipeline',
    () => ['findings', '--state-dir', at('nothing')],
    /analyzer\.db.*steward run/,
  ],
  [
    'a finding nobody made',
    () => ['explain', 'ffffffffffff', '--ovn-nb', NB, '--kubernetes', LEAKY],
    /ffffffffffff/,
  ],
];

test.each(cases)('%s ends in one clear sentence and exit code 1', async (_, args, says) => {
  const { code, stdout, stderr } = await steward(args());
  expect(stderr).toMatch(says);
  expect(stderr).toMatch(/^steward: /m);
  expect(stderr).not.toMatch(/\n\s+at |unexpected error/);
  expect(stdout).toBe('');
  expect(code).toBe(1);
});

interface Dump {
  items: { kind: string; metadata: Record<string, unknown> }[];
}

/** The recording with its first pod changed. */
function withPod(change: (pod: Dump['items'][number]) => void): string {
  const copy = mkdtempSync(join(folder, 'broken-'));
  const dump = JSON.parse(readFileSync(join(LEAKY, 'kubernetes.json'), 'utf8')) as Dump;
  change(dump.items.find((it) => it.kind === 'Pod')!);
  writeFileSync(join(copy, 'kubernetes.json'), JSON.stringify(dump));
  cpSync(join(LEAKY, 'listed.json'), join(copy, 'listed.json'));
  return copy;
}

test('a run that learnt nothing says that it could not know', async () => {
  const empty = mkdtempSync(join(folder, 'empty-'));
  writeFileSync(
    join(empty, 'kubernetes.json'),
    JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [] }),
  );
  const { code, stderr } = await steward([
    'run',
    ...['--ovn-nb', join(RECORDINGS, 'clean', 'nb.db'), '--kubernetes', empty],
    ...['--state-dir', at('hasty'), '--until-quiet', '0.5'],
  ]);
  expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
});

test('one broken object withholds what needs its kind, and says which it is', async () => {
  const broken = withPod((pod) => {
    delete pod.metadata['uid'];
  });
  const { code, stdout } = await steward([
    'audit',
    '--ovn-nb',
    NB,
    '--kubernetes',
    broken,
    '--output',
    'json',
  ]);
  const document = JSON.parse(stdout) as {
    findings: { rule: string }[];
    unknowns: { rule: string; reason: string }[];
  };
  expect(
    document.findings.filter((it) => it.rule.includes('switch-port') || it.rule === 'leaked-ip'),
  ).toEqual([]);
  expect(
    document.unknowns.find((it) => it.rule === 'orphaned-logical-switch-port')?.reason,
  ).toMatch(/Pod/);
  // Its nodes show that both are one cluster: what reads no pods is judged.
  expect(document.unknowns.find((it) => it.rule === 'stale-load-balancer-vip')).toBeUndefined();
  expect(code).toBe(2);
});

test('hostile text reaches neither the terminal nor the judgement', async () => {
  const hostile = withPod((pod) => {
    pod.metadata['annotations'] = {
      '__proto__.kubernetes.io/allocated': 'true',
      'ovn.kubernetes.io/logical_switch': '\u001b[2J\nowned',
      constructor: 'x',
    };
  });
  const { code, stdout, stderr } = await steward([
    'audit',
    '--ovn-nb',
    NB,
    '--kubernetes',
    hostile,
  ]);
  expect(stdout + stderr).not.toContain('\u001b[2J');
  expect(code).toBe(2);
});
