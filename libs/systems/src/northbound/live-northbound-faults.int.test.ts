import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { operation, type Operation } from '@ovn-steward/ovsdb';
import { describeWith, ovn } from '@ovn-steward/testbed/fixture';
import { type OvnServer, startOvnStandalone } from '@ovn-steward/testbed/ovn';
import { type OvnRaft, type RaftMember, startOvnRaft } from '@ovn-steward/testbed/ovn-raft';
import { recording } from '@ovn-steward/testbed/recordings';
import { type LossyProxy, lossyProxy } from '../testing/lossy-proxy';
import { exists, never, results } from '../testing/northbound-scene';
import { liveNorthbound, type LiveNorthboundOptions } from './live-northbound';
import type { Northbound } from './northbound';

const database = recording('clean', 'nb.db');
const closers: (() => Promise<unknown>)[] = [];

function open(remotes: string, how: Partial<LiveNorthboundOptions> = {}): Northbound {
  const northbound = liveNorthbound({ remotes, ...how });
  closers.push(() => northbound.close());
  return northbound;
}

async function proxied(target: string): Promise<LossyProxy> {
  const proxy = await lossyProxy(target);
  closers.push(() => proxy.close());
  return proxy;
}

const switchOf = (id: string): Operation[] => [
  operation.insert('Logical_Switch', { name: id }, id),
];
const add = async (northbound: Northbound): Promise<string> => {
  const id = randomUUID();
  results(await northbound.write(switchOf(id), never));
  return id;
};
const there = (northbound: Northbound, id: string): Promise<boolean> =>
  exists(northbound, 'Logical_Switch', id);
/** The same, asked until there is an answer: an election takes its time, more on a busy machine. */
const thereAtLast = async (northbound: Northbound, id: string): Promise<boolean> => {
  for (let left = 8; ; left--) {
    try {
      return await there(northbound, id);
    } catch (error) {
      if (left === 0) throw error;
    }
  }
};
/**
 * Until a client knows that its connection was ended: what it writes before has an unknown outcome.
 */
const noticed = (): Promise<void> => sleep(400);

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

describeWith(ovn, 'a live Northbound and its one server', () => {
  let server: OvnServer;
  let other: OvnServer;
  beforeAll(async () => {
    server = await startOvnStandalone({ database });
    other = await startOvnStandalone({ database });
  });
  afterAll(async () => {
    await server.stop();
    await other.stop();
  });

  test('is found again after a restart, and written to without taking over again', async () => {
    const nb = open(server.remote);
    await nb.takeOver(never);
    await add(nb);
    await server.restart();
    await noticed();
    expect(await there(nb, await add(nb))).toBe(true);
    expect(nb.connections()).toBe(2);
  });

  test('that does not answer fails a read in time, leaves a write open, and serves when it answers again', async () => {
    const troubles: string[] = [];
    const nb = open(server.remote, { timeoutMs: 1000, onTrouble: (it) => troubles.push(it) });
    await nb.takeOver(never);
    const id = randomUUID();
    await server.signal('SIGSTOP');
    try {
      await expect(nb.write(switchOf(id), never)).rejects.toMatchObject({
        code: 'outcome-unknown',
      });
      await expect(nb.read([], never)).rejects.toMatchObject({
        code: 'source-unreachable',
        message: expect.stringContaining('1000 ms'),
      });
    } finally {
      await server.signal('SIGCONT');
    }
    // It may have been done, or forgotten with the connection; but nobody says it was not.
    expect(typeof (await thereAtLast(nb, id))).toBe('boolean');
    expect(troubles).not.toEqual([]);
    expect(troubles.join()).not.toContain(id);
  });

  test('a write that is no longer waited for has an unknown outcome', async () => {
    const nb = open(server.remote);
    await nb.takeOver(never);
    const id = randomUUID();
    const enough = new AbortController();
    await server.signal('SIGSTOP');
    const written = expect(nb.write(switchOf(id), enough.signal)).rejects.toMatchObject({
      code: 'outcome-unknown',
    });
    await sleep(500);
    enough.abort(new Error('enough'));
    await written;
    await server.signal('SIGCONT');
    expect(await there(nb, id)).toBe(true);
  });

  test('that cannot be reached: nothing was sent', async () => {
    const proxy = await proxied(server.remote);
    const nb = open(proxy.remote, { timeoutMs: 700 });
    await nb.takeOver(never);
    await proxy.close();
    await noticed();
    await expect(nb.write(switchOf(randomUUID()), never)).rejects.toMatchObject({
      code: 'source-unreachable',
      message: expect.stringMatching(/nothing was sent.*ECONNREFUSED/),
    });
    await expect(nb.read([], never)).rejects.toMatchObject({ code: 'source-unreachable' });
  });

  test('a call ends with its signal, also while a server is searched for', async () => {
    const proxy = await proxied(server.remote);
    await proxy.close();
    const nb = open(proxy.remote);
    await expect(nb.read([], AbortSignal.timeout(200))).rejects.toMatchObject({
      name: 'TimeoutError',
    });
  });

  test('addresses that cannot be read are refused at once', () => {
    expect(() => liveNorthbound({ remotes: 'nowhere' })).toThrow(
      expect.objectContaining({ code: 'config-invalid' }),
    );
  });

  test('another kind of database is distinguished from a Northbound one', async () => {
    const southbound = await startOvnStandalone({ schema: 'sb' });
    closers.push(() => southbound.stop());
    const nb = open(southbound.remote);
    for (const call of [
      () => nb.read([], never),
      () => nb.schema(never),
      () => nb.takeOver(never),
    ]) {
      await expect(call()).rejects.toMatchObject({
        code: 'input-foreign-schema',
        message: expect.stringContaining('OVN_Southbound'),
      });
    }
  });

  test('another Northbound behind the addresses is not taken for the first', async () => {
    const stranger = await startOvnStandalone();
    closers.push(() => stranger.stop());
    await stranger.nbctl('init');
    const proxy = await proxied(other.remote);
    const nb = open(`${proxy.remote},${stranger.remote}`);
    await nb.takeOver(never);
    await add(nb);
    await proxy.close();
    await noticed();
    await expect(nb.write(switchOf(randomUUID()), never)).rejects.toMatchObject({
      code: 'input-foreign-schema',
      message: expect.stringContaining('another database'),
    });
    await expect(nb.read([], never)).rejects.toMatchObject({ code: 'input-foreign-schema' });
  });

  test('a database that is not filled yet has no identity and can be read', async () => {
    const empty = await startOvnStandalone();
    closers.push(() => empty.stop());
    const nb = open(empty.remote);
    expect(await nb.read([operation.select('NB_Global', [])], never)).toEqual({
      is: 'committed',
      results: [{ kind: 'selected', rows: [] }],
    });
    await expect(nb.identity(never)).rejects.toMatchObject({ code: 'source-broken' });
  });

  test('who was cut off while another took over does not take it back', async () => {
    const proxy = await proxied(server.remote);
    const former = open(proxy.remote, { timeoutMs: 800 });
    const later = open(server.remote);
    await former.takeOver(never);
    proxy.lose('request');
    await expect(former.write(switchOf(randomUUID()), never)).rejects.toMatchObject({
      code: 'outcome-unknown',
    });
    await later.takeOver(never);
    const id = randomUUID();
    for (let n = 0; n < 2; n++)
      await expect(former.write(switchOf(id), never)).rejects.toMatchObject({ code: 'fenced' });
    await add(later);
    await later.close();
    await expect(former.write(switchOf(id), never)).rejects.toMatchObject({ code: 'fenced' });
    expect(await there(former, id)).toBe(false);
    await former.takeOver(never);
    await add(former);
  });

  test('who lost the lock and does not know it yet is refused by the server', async () => {
    const proxy = await proxied(server.remote);
    const former = open(proxy.remote);
    const later = open(server.remote);
    await former.takeOver(never);
    proxy.delay(1500);
    await later.takeOver(never);
    const id = randomUUID();
    expect(await former.write(switchOf(id), never)).toEqual({
      is: 'refused',
      error: 'not owner',
      details: expect.any(String),
      at: 0,
    });
    await expect(former.write(switchOf(id), never)).rejects.toMatchObject({ code: 'fenced' });
    expect(await there(later, id)).toBe(false);
  });

  test('a lock that a dead connection of its own still holds is waited for', async () => {
    const proxy = await proxied(server.remote);
    const nb = open(proxy.remote, { timeoutMs: 5000 });
    await nb.takeOver(never);
    const end = proxy.strand();
    await noticed();
    const written = add(nb);
    await sleep(300);
    end();
    expect(await there(nb, await written)).toBe(true);
  });
});

describeWith(ovn, 'a live Northbound and its cluster', () => {
  let cluster: OvnRaft;
  let proxies: ReadonlyMap<RaftMember, LossyProxy>;
  let remotes: string;
  beforeEach(async () => {
    cluster = await startOvnRaft({ database });
    closers.push(() => cluster.stop());
    proxies = new Map(
      await Promise.all(
        cluster.members.map(async (member) => [member, await proxied(member.remote)] as const),
      ),
    );
    remotes = [...proxies.values()].map(({ remote }) => remote).join();
  });
  /** The members that were sent this. */
  const sentTo = (text: string): RaftMember[] =>
    [...proxies].filter(([, proxy]) => proxy.hasReceived(text)).map(([member]) => member);

  test('the leader alone is written to, also after it changed while nothing was asked', async () => {
    const nb = open(remotes);
    await nb.takeOver(never);
    const identity = await nb.identity(never);
    expect(identity).toMatch(/^cid:/);
    expect(sentTo(await add(nb))).toEqual([await cluster.leader()]);
    for (let n = 0; n < 3; n++) {
      const leader = await cluster.transferLeadership();
      const before = nb.connections();
      await noticed();
      const id = await add(nb);
      expect(nb.connections()).toBeGreaterThan(before);
      expect(sentTo(id)).toEqual([leader]);
      expect(await there(nb, id)).toBe(true);
    }
    expect(await nb.identity(never)).toBe(identity);
  });

  test('a killed leader is followed by another, and nothing that was committed is lost', async () => {
    const nb = open(remotes);
    await nb.takeOver(never);
    const before = await add(nb);
    await (await cluster.leader()).kill();
    await noticed();
    const after = await add(nb);
    expect(sentTo(after)).toEqual([await cluster.leader()]);
    expect([await there(nb, before), await there(nb, after)]).toEqual([true, true]);
  });

  test('a leader that falls silent leaves a write open; whether it happened is seen at the next, and doing it again is refused or done once', async () => {
    const nb = open(remotes, { timeoutMs: 4000 });
    await nb.takeOver(never);
    const silent = await cluster.leader();
    const id = randomUUID();
    await silent.pause();
    await expect(nb.write(switchOf(id), never)).rejects.toMatchObject({ code: 'outcome-unknown' });
    const done = await thereAtLast(nb, id);
    const again = await nb.write(switchOf(id), never);
    expect(again).toMatchObject(
      done ? { is: 'refused', error: 'duplicate uuid' } : { is: 'committed' },
    );
    await silent.resume();
    await sleep(500);
    expect(await there(nb, id)).toBe(true);
  });

  test('without a majority nothing is reported as committed', async () => {
    const nb = open(remotes, { timeoutMs: 2000 });
    await nb.takeOver(never);
    await add(nb);
    const leader = await cluster.leader();
    const followers = cluster.members.filter((member) => member !== leader);
    await Promise.all(followers.map((member) => member.kill()));
    const id = randomUUID();
    await expect(nb.write(switchOf(id), never)).rejects.toMatchObject({
      code: expect.stringMatching(/outcome-unknown|source-unreachable/),
    });
    await Promise.all(followers.map((member) => member.start()));
    await cluster.leader();
    const done = await thereAtLast(nb, id);
    expect(await nb.write(switchOf(id), never)).toMatchObject(
      done ? { error: 'duplicate uuid' } : { is: 'committed' },
    );
  });

  test('who takes over at a new leader fences who held the old one', async () => {
    const former = open(remotes, { timeoutMs: 1500 });
    const later = open(remotes);
    await former.takeOver(never);
    await add(former);
    await cluster.transferLeadership();
    await noticed();
    await later.takeOver(never);
    const id = randomUUID();
    for (let n = 0; n < 2; n++)
      await expect(former.write(switchOf(id), never)).rejects.toMatchObject({ code: 'fenced' });
    expect(await there(later, id)).toBe(false);
    await add(later);
  });
});
