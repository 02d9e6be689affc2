import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWith, ovn } from '@ovn-steward/testbed/fixture';
import { type OvnServer, startOvnStandalone } from '@ovn-steward/testbed/ovn';
import { type OvnRaft, startOvnRaft } from '@ovn-steward/testbed/ovn-raft';
import { recording } from '@ovn-steward/testbed/recordings';
import type { Observation, Source } from '../../source-kit/source';
import { createOvnFileSource } from './ovn-file';
import { createOvnSource, type OvnLiveOptions } from './ovn-live';

const folder = mkdtempSync(join(tmpdir(), 'ovn-live-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Reads a source until asked to stop, and folds what it says. */
function follow(source: Source) {
  const stop = new AbortController();
  const rows = new Map<string, unknown>();
  let seen: Observation[] = [];
  const batches = source.observe(stop.signal)[Symbol.asyncIterator]();
  const pull = async (): Promise<boolean> => {
    const { value, done } = await batches.next();
    if (done === true) return false;
    for (const observation of value as Observation[]) {
      seen.push(observation);
      if (observation.type === 'object')
        rows.set(`${observation.kind} ${observation.uid}`, [observation.name, observation.object]);
      if (observation.type === 'gone') rows.delete(`${observation.kind} ${observation.uid}`);
    }
    return true;
  };
  return {
    rows,
    /** What was said since the last call, up to and with the first that is wanted. */
    until: async (wanted: (it: Observation) => boolean): Promise<Observation[]> => {
      while (!seen.some(wanted)) if (!(await pull())) throw new Error('the source ended');
      const heard = seen;
      seen = [];
      return heard;
    },
    end: async (): Promise<void> => {
      stop.abort();
      while (await pull());
    },
  };
}

const isComplete = (it: Observation): boolean => it.type === 'complete';
const isNamed =
  (type: Observation['type'], name: string) =>
  (it: Observation): boolean =>
    it.type === type && 'name' in it && it.name === name;
const contents = (seen: readonly Observation[]): string[] =>
  seen.flatMap((it) =>
    it.type === 'object' || it.type === 'gone' ? [`${it.type} ${it.kind} ${it.name}`] : [],
  );
const types = (seen: readonly Observation[]): string[] => [...new Set(seen.map((it) => it.type))];

async function fileRows(id: OvnLiveOptions['id'], path: string): Promise<Map<string, unknown>> {
  const copy = join(folder, `${Date.now()}.db`);
  copyFileSync(path, copy);
  const file = follow(createOvnFileSource({ id, path: copy }));
  await file.until(isComplete);
  return file.rows;
}

describeWith(ovn, 'a Northbound server', () => {
  let server: OvnServer;
  let live: ReturnType<typeof follow>;
  const source = (more: Partial<OvnLiveOptions> = {}): Source =>
    createOvnSource({
      id: 'ovn-nb',
      remotes: server.remote,
      probeMs: 200,
      backoff: { baseMs: 20, capMs: 100 },
      ...more,
    });
  beforeAll(async () => {
    server = await startOvnStandalone({ database: recording('shared-neutron', 'nb.db') });
  });
  afterAll(() => server.stop());
  afterEach(() => live?.end());

  it('reports the same rows as its file', async () => {
    live = follow(source());
    await live.until(isComplete);
    expect(live.rows).toEqual(await fileRows('ovn-nb', server.file));
    expect(live.rows.size).toBeGreaterThan(200);
  });

  it('reports changes as they come, at the cost of the change, and still equals its file', async () => {
    live = follow(source());
    await live.until(isComplete);
    await server.nbctl(
      'ls-add',
      'sw',
      '--',
      'lsp-add',
      'sw',
      'a',
      '--',
      'lsp-add',
      'sw',
      'b',
      '--',
      'pg-add',
      'pg',
      'a',
      'b',
      '--',
      'acl-add',
      'pg',
      'from-lport',
      '1',
      'ip4',
      'drop',
    );
    await live.until(isNamed('object', 'pg'));
    await server.nbctl('lsp-add', 'sw', 'c');
    expect(contents(await live.until(isNamed('object', 'c')))).toEqual([
      'object Logical_Switch_Port c',
    ]);
    await server.nbctl('pg-set-ports', 'pg', 'b', 'c', '--', 'lsp-del', 'a');
    expect(contents(await live.until(isNamed('gone', 'a'))).sort()).toEqual([
      'gone Logical_Switch_Port a',
      'object Logical_Switch_Port c',
    ]);
    await server.nbctl('pg-del', 'pg', '--', 'lsp-set-options', 'b', 'x=y');
    await live.until(isNamed('gone', 'pg'));
    expect(live.rows).toEqual(await fileRows('ovn-nb', server.file));
    await server.nbctl('ls-del', 'sw');
    await live.until(isNamed('gone', 'sw'));
    expect(live.rows).toEqual(await fileRows('ovn-nb', server.file));
  });

  it('reports progress while nothing happens, and nothing of a configuration counter', async () => {
    live = follow(source());
    await live.until(isComplete);
    const before = Date.now();
    await server.nbctl('--print-wait-time', '--wait=none', 'set', 'NB_Global', '.', 'nb_cfg=77');
    const seen = await live.until(
      (it) => it.type === 'progress' && Date.parse(it.through) > before + 300,
    );
    expect(types(seen)).toEqual(['progress']);
  });

  it('reads everything again from a server that was restarted', async () => {
    live = follow(source());
    await live.until(isComplete);
    await server.restart();
    const seen = await live.until(isComplete);
    expect(types(seen)).toEqual(expect.arrayContaining(['begin', 'object', 'complete']));
    expect(types(seen)).not.toContain('unavailable');
    expect(live.rows).toEqual(await fileRows('ovn-nb', server.file));
  });

  it('is unavailable once no server was fit for long enough, and recovers', async () => {
    const troubles: string[] = [];
    live = follow(source({ unreachableAfterMs: 300, onTrouble: (it) => troubles.push(it) }));
    await live.until(isComplete);
    await server.kill();
    const [lost] = (await live.until((it) => it.type === 'unavailable')).slice(-1);
    expect(lost).toMatchObject({
      type: 'unavailable',
      stream: 'ovn-nb',
      reason: 'unreachable',
      kinds: expect.arrayContaining(['Logical_Switch']),
      detail: expect.stringContaining('127.0.0.1'),
    });
    expect(troubles.length).toBeGreaterThan(1);
    await server.restart();
    await live.until(isComplete);
  });

  it('refuses it where Southbound is meant', async () => {
    live = follow(source());
    const wrong = follow(source({ id: 'ovn-sb' }));
    await expect(wrong.until(isComplete)).rejects.toMatchObject({
      code: 'input-foreign-schema',
      message: expect.stringContaining('OVN_Northbound'),
    });
  });

  it('refuses it where a cluster is expected', async () => {
    live = follow(source());
    const wrong = follow(source({ cid: '00000000-0000-4000-8000-000000000001' }));
    await expect(wrong.until(isComplete)).rejects.toMatchObject({ code: 'input-foreign-schema' });
  });

  it('refuses remotes that cannot be read', async () => {
    live = follow(source());
    await expect(follow(source({ remotes: 'nonsense' })).until(isComplete)).rejects.toMatchObject({
      code: 'config-invalid',
    });
  });
});

describeWith(ovn, 'a Southbound server', () => {
  it('reports the same rows as its file, of the few tables we read', async () => {
    const server = await startOvnStandalone({
      database: recording('clean', 'sb.db'),
      schema: 'sb',
    });
    const live = follow(createOvnSource({ id: 'ovn-sb', remotes: server.remote }));
    await live.until(isComplete);
    expect(live.rows).toEqual(await fileRows('ovn-sb', server.file));
    expect(new Set([...live.rows.keys()].map((it) => it.split(' ')[0]))).toEqual(
      new Set(['Chassis', 'Encap', 'Port_Binding', 'SB_Global']),
    );
    await live.end();
    await server.stop();
  });
});

describeWith(ovn, 'a Northbound cluster', () => {
  let cluster: OvnRaft;
  beforeAll(async () => {
    cluster = await startOvnRaft({ database: recording('leaky', 'nb.db') });
  });
  afterAll(() => cluster.stop());
  const source = (): Source =>
    createOvnSource({
      id: 'ovn-nb',
      remotes: cluster.remotes.join(),
      backoff: { baseMs: 20, capMs: 100 },
    });

  it('is resumed after a change of leadership with what changed meanwhile, and nothing else', async () => {
    const live = follow(source());
    await live.until(isComplete);
    await cluster.nbctl('ls-add', 'one');
    await live.until(isNamed('object', 'one'));
    await cluster.transferLeadership();
    await cluster.nbctl('ls-add', 'two', '--', 'ls-del', 'one');
    const seen = await live.until(isNamed('object', 'two'));
    expect(contents(seen)).toEqual(['gone Logical_Switch one', 'object Logical_Switch two']);
    expect(types(seen)).not.toContain('begin');
    await live.end();
  });

  it('is reported again in full after it was called unavailable, even when the server could resume', async () => {
    const lone = await startOvnRaft({ members: 1, database: recording('leaky', 'nb.db') });
    const live = follow(
      createOvnSource({
        id: 'ovn-nb',
        remotes: lone.remotes.join(),
        probeMs: 200,
        connectTimeoutMs: 200,
        unreachableAfterMs: 300,
        backoff: { baseMs: 20, capMs: 100 },
      }),
    );
    await live.until(isComplete);
    await lone.nbctl('ls-add', 'one');
    await live.until(isNamed('object', 'one'));
    await lone.members[0]?.pause();
    await live.until((it) => it.type === 'unavailable');
    await lone.members[0]?.resume();
    expect(types(await live.until(isComplete))).toEqual(
      expect.arrayContaining(['begin', 'object', 'complete']),
    );
    await live.end();
    await lone.stop();
  });

  it('reports the same rows as the file of its leader', async () => {
    const live = follow(source());
    await live.until(isComplete);
    expect(live.rows).toEqual(await fileRows('ovn-nb', (await cluster.leader()).file));
    await live.end();
  });
});
