import { copyFileSync } from 'node:fs';
import { describeWith, ovn } from '@ovn-steward/testbed/fixture';
import { type OvnRaft, type RaftMember, startOvnRaft } from '@ovn-steward/testbed/ovn-raft';
import { recording } from '@ovn-steward/testbed/recordings';
import { scratch } from '../../test/records';
import { watch, type Watcher } from '../../test/watcher';
import { openDatabase } from './find-server';
import { parseRemotes } from '../wire/remote';
import type { RowChange } from '../replica/row-change';

const database = 'OVN_Northbound';
const seed = recording('leaky', 'nb.db');
const files = scratch();
let watcher: Watcher;

const summary = (changes: readonly RowChange[]): string[] =>
  changes.map(({ kind, table, row }) => `${kind} ${table} ${String(row.get('name'))}`).sort();
const at = (member: RaftMember): unknown => parseRemotes(member.remote)[0];
const is =
  (name: string) =>
  ({ changes }: { changes: readonly RowChange[] }): boolean =>
    changes.some(({ row }) => row.get('name') === name);

afterAll(() => files.remove());

describeWith(ovn, 'a cluster that is followed', () => {
  let cluster: OvnRaft;
  beforeAll(async () => {
    cluster = await startOvnRaft({ database: seed });
  });
  afterEach(() => watcher.stop());
  afterAll(() => cluster.stop());

  test('is followed at its leader, and after a change of leadership at the new one, resumed with exactly what was missed', async () => {
    watcher = watch({ remotes: cluster.remotes.join(), database });
    const first = await watcher.pull('snapshot');
    expect(first).toMatchObject({
      found: false,
      remote: at(await cluster.leader()),
      cid: expect.any(String),
      lastTxnId: expect.any(String),
    });
    await cluster.nbctl('ls-add', 'doomed');
    expect((await watcher.pull('changes', is('doomed'))).lastTxnId).not.toBe(first.lastTxnId);

    const leader = await cluster.transferLeadership();
    const { error } = await watcher.pull('lost');
    expect(error).toMatchObject({
      code: 'unsuitable',
      message: expect.stringContaining('not the leader'),
    });
    await cluster.nbctl('ls-del', 'doomed', '--', 'ls-add', 'born');
    const resumed = await watcher.pull('snapshot');
    expect(resumed).toMatchObject({ found: true, remote: at(leader), cid: first.cid });
    expect(resumed.replica).toBe(first.replica);
    expect(summary(resumed.changes)).toEqual([
      'delete Logical_Switch doomed',
      'insert Logical_Switch born',
    ]);
    expect(watcher.types()).not.toContain('cluster-changed');
  });

  test('is followed on when the leader is killed', async () => {
    watcher = watch({ remotes: cluster.remotes.join(), database });
    const { replica } = await watcher.pull('snapshot');
    await cluster.nbctl('ls-add', 'before-kill');
    await watcher.pull('changes', is('before-kill'));
    const killed = await cluster.leader();
    await killed.kill();
    expect((await watcher.pull('lost')).error.code).toBe('closed');
    await cluster.leader();
    await cluster.nbctl('ls-add', 'after-kill');
    const resumed = await watcher.pull('snapshot');
    expect(resumed.found).toBe(true);
    expect(summary(resumed.changes)).toEqual(['insert Logical_Switch after-kill']);
    expect(resumed.replica).toBe(replica);
    await killed.start();
  });

  test('ends its sessions when it is converted to another schema', async () => {
    const remotes = cluster.remotes.join();
    watcher = watch({ remotes, database });
    const { schema } = await watcher.pull('snapshot');
    const session = await openDatabase({ remotes, database });
    const converter = await openDatabase({ remotes, database });
    // The session that converts may hear of the new schema before its own answer.
    await converter.rpc
      .request('convert', [database, { ...(schema.json as object), version: '99.0.0' }])
      .catch(() => undefined);
    expect(await session.closed).toMatchObject({
      code: 'unsuitable',
      message: expect.stringContaining('converted'),
    });
    const after = await watcher.pull('snapshot');
    expect([after.schema.version, after.found, after.changes]).toEqual(['99.0.0', false, []]);
  });

  test('is read at a follower where the leader is not asked for, and left when that loses the majority', async () => {
    const leader = await cluster.leader();
    const [follower, other] = cluster.members.filter((member) => member !== leader);
    watcher = watch({ remotes: follower?.remote ?? '', database, leaderOnly: false });
    expect((await watcher.pull('snapshot')).remote).toEqual(at(follower as RaftMember));
    await expect(openDatabase({ remotes: follower?.remote ?? '', database })).rejects.toMatchObject(
      { code: 'unsuitable', message: expect.stringContaining('not the leader') },
    );

    await Promise.all([leader.kill(), other?.kill()]);
    expect((await watcher.pull('lost')).error).toMatchObject({
      code: 'unsuitable',
      message: expect.stringContaining('majority'),
    });
    await Promise.all([leader.start(), other?.start()]);
    await watcher.pull('snapshot');
  });
});

describeWith(ovn, 'a member that shows the past', () => {
  let cluster: OvnRaft;
  beforeAll(async () => {
    cluster = await startOvnRaft({ database: seed, members: 1 });
  });
  afterEach(() => watcher.stop());
  afterAll(() => cluster.stop());

  test('is refused until it has come as far as was seen', async () => {
    const [member] = cluster.members as [RaftMember];
    await cluster.nbctl('ls-add', 'old');
    await member.kill();
    copyFileSync(member.file, files.path('old.db'));
    await member.start();
    await cluster.leader();
    for (let n = 0; n < 5; n++) await cluster.nbctl('ls-add', `n${n}`);

    watcher = watch({ remotes: member.remote, database });
    const { replica, cid } = await watcher.pull('snapshot');
    await cluster.nbctl('ls-add', 'last-seen');
    await watcher.pull('changes', is('last-seen'));
    await member.kill();
    copyFileSync(files.path('old.db'), member.file);
    await member.start();
    await watcher.pull(
      'failed',
      ({ error }) => error.code === 'unsuitable' && error.message.includes('behind'),
    );
    // Nothing was concluded from the past.
    expect([...replica.rows('Logical_Switch')].some((row) => row.get('name') === 'last-seen')).toBe(
      true,
    );

    for (let n = 0; n < 12; n++) await cluster.nbctl('ls-add', `again${n}`);
    const back = await watcher.pull('snapshot');
    expect(back).toMatchObject({ found: false, cid });
    expect(summary(back.changes)).toContain('delete Logical_Switch last-seen');
  });
});

describeWith(ovn, 'another cluster behind the same remotes', () => {
  test('is reported as such, and nothing is compared with the first', async () => {
    const clusters = [
      await startOvnRaft({ database: seed, members: 1 }),
      await startOvnRaft({ members: 1 }),
    ] as const;
    watcher = watch({ remotes: clusters.map(({ remotes }) => remotes[0]).join(), database });
    try {
      const first = await watcher.pull('snapshot');
      await clusters[0].members[0]?.kill();
      const changed = await watcher.pull('cluster-changed');
      expect(changed.before).toBe(first.cid);
      const second = await watcher.pull('snapshot');
      expect(second).toMatchObject({ found: false, cid: changed.after });
      expect(second.replica).not.toBe(first.replica);
      expect(second.changes.filter(({ kind }) => kind !== 'insert')).toEqual([]);
      expect(first.replica.size('Logical_Switch')).toBeGreaterThan(0);
    } finally {
      await watcher.stop();
      await Promise.all(clusters.map((cluster) => cluster.stop()));
    }
  });
});
