import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openInbox } from '@ovn-steward/executor';
import { Control } from '@ovn-steward/contracts/control/control';
import { steward } from './testing/cli';

const NORTHBOUND = 'nb:5d02d3d0-9a3c-4ee1-a0cb-9c6e1b7f3a54';
const UID = '0f6f7a3e-33c5-4f6b-8a3e-6f6f0c4f2d11';

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'steward-adopt-'));
  writeFileSync(join(state, 'cluster'), 'berlin-1\n');
});
afterEach(() => rmSync(state, { recursive: true }));

const adopt = (options: Readonly<Record<string, string>>, ...more: readonly string[]) =>
  steward([
    'adopt',
    ...Object.entries({
      northbound: NORTHBOUND,
      'kubernetes-uid': UID,
      reason: 'rebuilt',
      by: 'anna',
      ...options,
    }).flatMap(([name, value]) => [`--${name}`, value]),
    ...more,
    '--state-dir',
    state,
  ]);
function waiting(): readonly unknown[] {
  const inbox = openInbox(state);
  try {
    return inbox.waiting().map((it) => Control.parse(JSON.parse(it.value)));
  } finally {
    inbox.close();
  }
}

test('says which systems the cluster is from now on, and why, where the next pipeline reads it', async () => {
  const { code, stdout } = await adopt({});
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(
      /Cluster berlin-1 is the Northbound nb:5d02d3d0.*0f6f7a3e.*from now on, for an executor to which they answer\./,
    ),
  ]);
  expect(waiting()).toMatchObject([
    {
      type: 'adopt',
      cluster: 'berlin-1',
      by: 'anna',
      to: { northbound: NORTHBOUND, kubernetes: UID },
      unnamed: false,
      reason: 'rebuilt',
    },
  ]);
});

test('takes what earlier versions recorded with --unnamed alone, also of a clustered database', async () => {
  const cid = NORTHBOUND.replace('nb:', 'cid:');
  const { code, stdout } = await adopt({ northbound: cid, output: 'json' }, '--unnamed');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ controls: [{ type: 'adopt', unnamed: true }] });
  expect(waiting()).toMatchObject([{ unnamed: true, to: { northbound: cid } }]);
});

test.each([
  ['no identity of a Northbound', { northbound: 'tcp:10.0.0.1:6641' }, /is no identity of a/],
  ['a uuid without what it is of', { northbound: NORTHBOUND.slice(3) }, /is no identity of a/],
  ['a uuid cut short', { northbound: NORTHBOUND.slice(0, -1) }, /is no identity of a/],
  ['no uid', { 'kubernetes-uid': '' }, /No uid of a Kubernetes was given/],
])('%s is refused in one sentence, and nothing is decided', async (_, options, why) => {
  const { code, stdout, stderr } = await adopt(options);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(why);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(stderr).toContain('Nothing was decided.');
  expect(waiting()).toEqual([]);
});

test('is not taken over HTTP, and says where it is', async () => {
  const args = ['adopt', '--northbound', NORTHBOUND, '--kubernetes-uid', UID, '--reason', 'x'];
  expect(await steward([...args, '--server', 'https://127.0.0.1:1'])).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/No executor takes steward adopt over HTTP: give --state-dir or/),
  });
});
