import { describeWith, ovn } from './fixture';
import { startOvnRaft, type OvnRaft } from './ovn-raft';
import { recording } from './recordings';

describeWith(ovn, 'an OVN raft cluster', () => {
  let cluster: OvnRaft;

  beforeAll(async () => {
    cluster = await startOvnRaft({ database: recording('leaky', 'nb.db') });
  });

  afterAll(() => cluster?.stop());

  test('starts with the rows of a standalone file, the same at every member', async () => {
    const listed = await cluster.nbctl('ls-list');
    expect(listed).toContain('(ovn-default)');
    for (const member of cluster.members)
      expect(await member.appctl('cluster/status', 'OVN_Northbound')).toMatch(
        /^Servers:\n(?:.*tcp:127\.0\.0\.1.*\n){3}/m,
      );
  });

  test('changes its leader without a crash', async () => {
    const before = await cluster.leader();
    const after = await cluster.transferLeadership();
    expect(after.remote).not.toBe(before.remote);
    expect(before.running()).toBe(true);
  });

  test('elects another when the leader is killed or falls silent, and takes it back', async () => {
    const killed = await cluster.leader();
    await killed.kill();
    const silent = await cluster.leader();
    expect(silent.remote).not.toBe(killed.remote);
    await killed.start();
    await silent.pause();
    expect((await cluster.leader()).remote).not.toBe(silent.remote);
    await silent.resume();
    await cluster.nbctl('ls-add', 'written-after');
    expect(await cluster.nbctl('ls-list')).toContain('(written-after)');
  });
});
