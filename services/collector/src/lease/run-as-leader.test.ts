import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@ovn-steward/shared/testing/until';
import { type LeaderOptions, type LeaderWork, type LeaseEvent, runAsLeader } from './run-as-leader';
import { leaseServer, type LeaseServer } from './testing/lease-server';

let server: LeaseServer;
let stop: AbortController;
beforeEach(async () => {
  server = await leaseServer();
  stop = new AbortController();
});
afterEach(() => {
  stop.abort();
  server.stop();
});

/** Long enough that a busy machine loses no Lease. */
const DURATION = 2000;

interface Candidate {
  readonly events: LeaseEvent[];
  readonly terms: number[];
  working(): boolean;
  readonly ended: Promise<unknown>;
  stop(): void;
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) =>
    signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve()),
  );

function candidate(
  identity: string,
  options: Partial<LeaderOptions> = {},
  work: LeaderWork = (_term, signal) => untilAborted(signal),
): Candidate {
  const events: LeaseEvent[] = [];
  const terms: number[] = [];
  const own = new AbortController();
  let working = 0;
  const counted: LeaderWork = async (term, signal) => {
    terms.push(term);
    working += 1;
    try {
      await work(term, signal);
    } finally {
      working -= 1;
    }
  };
  const ended = runAsLeader(
    {
      access: server.access,
      namespace: 'ns',
      name: 'lease',
      identity,
      durationMs: DURATION,
      onEvent: (it) => events.push(it),
      ...options,
    },
    counted,
    AbortSignal.any([own.signal, stop.signal]),
  ).then(
    () => undefined,
    (error: unknown) => error,
  );
  return { events, terms, working: () => working > 0, ended, stop: () => own.abort() };
}

const types = ({ events }: Candidate): string[] => events.map((it) => it.type);
const held = (holder: string, more = {}): Record<string, unknown> => ({
  holderIdentity: holder,
  leaseDurationSeconds: 1,
  leaseTransitions: 4,
  ...more,
});

it('makes the Lease, works, renews, and gives it back when asked to stop', async () => {
  const one = candidate('one');
  await until(() => server.written.length > 3, 'renewed');
  expect(one.working()).toBe(true);
  expect(server.lease!.spec).toEqual({
    holderIdentity: 'one',
    leaseDurationSeconds: 2,
    leaseTransitions: 0,
    acquireTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
    renewTime: expect.any(String),
  });
  expect(new Set(server.written.map((it) => it['acquireTime'])).size).toBe(1);
  expect(new Set(server.written.map((it) => it['renewTime'])).size).toBe(server.written.length);
  one.stop();
  expect(await one.ended).toBeUndefined();
  expect(server.lease!.spec).toMatchObject({ leaseDurationSeconds: 1, leaseTransitions: 0 });
  expect(server.lease!.spec['holderIdentity']).toBeUndefined();
  expect(one.events).toEqual([{ type: 'leading', term: 1 }, { type: 'released' }]);
});

it('lets one work at a time, with growing terms', async () => {
  const one = candidate('one');
  await until(() => one.working(), 'led');
  const two = candidate('two');
  await until(() => two.events.length > 0, 'waited');
  expect(two.events).toEqual([{ type: 'waiting', holder: 'one' }]);
  await sleep(1.5 * DURATION);
  expect([one.working(), two.working()]).toEqual([true, false]);
  one.stop();
  await until(() => two.working(), 'took over');
  expect(one.working()).toBe(false);
  expect([one.terms, two.terms]).toEqual([[1], [2]]);
});

it('keeps the Lease until the work has ended, however long that takes', async () => {
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const one = candidate('one', {}, () => finished);
  await until(() => one.working(), 'led');
  const two = candidate('two');
  one.stop();
  await sleep(1.5 * DURATION);
  expect([one.working(), two.working()]).toEqual([true, false]);
  finish();
  await until(() => two.working(), 'took over');
});

it('gives the Lease back when the work has nothing more to do, or fails', async () => {
  const done = candidate('one', {}, async () => undefined);
  expect(await done.ended).toBeUndefined();
  const failure = new Error('it failed');
  const failed = candidate('two', {}, () => Promise.reject(failure));
  expect(await failed.ended).toBe(failure);
  expect([types(done), types(failed)]).toEqual([
    ['leading', 'released'],
    ['leading', 'released'],
  ]);
  expect(failed.terms).toEqual([2]);
});

it('stops the work when renewing fails for two thirds of the duration, and goes on with the same Lease if nobody took it', async () => {
  const one = candidate('one', { durationMs: 900 });
  await until(() => server.written.length > 2, 'renewed');
  const since = performance.now();
  server.mode = 'fail';
  await until(() => !one.working(), 'stopped');
  const took = performance.now() - since;
  expect(took).toBeGreaterThan(300);
  expect(one.events).toContainEqual({
    type: 'lost',
    reason: 'the Lease ns/lease could not be renewed in time',
  });
  expect(one.events).toContainEqual(
    expect.objectContaining({
      type: 'lease-failed',
      error: expect.stringContaining('etcd is away'),
    }),
  );
  server.mode = 'answer';
  await until(() => one.working(), 'led again');
  expect(one.terms).toEqual([1, 1]);
});

it('stops before another begins when the server holds its requests', async () => {
  const one = candidate('one', { durationMs: 1500 });
  await until(() => one.working(), 'led');
  server.mode = 'hold';
  let overlap = false;
  await until(() => !one.working(), 'stopped');
  server.mode = 'answer';
  const two = candidate('two', { durationMs: 1500 }, async (_term, signal) => {
    overlap ||= one.working();
    await untilAborted(signal);
  });
  await until(() => one.working() || two.working(), 'anyone led');
  expect(overlap).toBe(false);
});

it('waits by its own clock for a holder that fell silent, whatever the times in the Lease', async () => {
  for (const renewTime of [
    '1999-01-01T00:00:00.000000Z',
    '2999-01-01T00:00:00.000000Z',
    'noon',
    undefined,
  ]) {
    server.write(held('dead', { renewTime, leaseDurationSeconds: 2, leaseTransitions: 4 }));
    let time = 0;
    const one = candidate('one', { monotonic: () => time, durationMs: 150 });
    await until(() => types(one).includes('waiting'), 'waited');
    time = 1990;
    await sleep(100);
    expect(one.working()).toBe(false);
    time = 2001;
    await until(() => one.working(), 'took over');
    expect(one.terms).toEqual([6]);
    one.stop();
    await one.ended;
  }
});

it('counts again when anything is written to the Lease', async () => {
  server.write(held('alive'));
  let time = 0;
  const one = candidate('one', { monotonic: () => time, durationMs: 150 });
  await until(() => types(one).includes('waiting'), 'waited');
  for (const at of [900, 1800, 2700]) {
    time = at;
    server.write(held('alive'));
    await sleep(80);
  }
  expect(one.working()).toBe(false);
});

it('is not disturbed by jumps of the clock', async () => {
  let at = Date.parse('2026-01-01T00:00:00Z');
  const one = candidate('one', { wall: () => new Date(at) });
  await until(() => one.working(), 'led');
  const two = candidate('two', { wall: () => new Date(0) });
  for (const jump of [86_400_000, -3 * 86_400_000]) {
    at += jump;
    await sleep(0.6 * DURATION);
  }
  expect([types(one), two.working()]).toEqual([['leading'], false]);
});

it('stops at once when somebody else has the Lease', async () => {
  const one = candidate('one');
  await until(() => one.working(), 'led');
  server.write(held('thief'));
  await until(() => !one.working(), 'stopped', { timeoutMs: 0.6 * DURATION });
  expect(one.events.filter((it) => it.type === 'lost')).toEqual([
    { type: 'lost', reason: "the Lease ns/lease is thief's now" },
  ]);
  await until(() => one.terms.length === 2, 'took over from the silent thief');
  expect(one.terms).toEqual([1, 6]);
});

it('recreates a Lease that was removed under it, with the same term; another waits as if it were there', async () => {
  const one = candidate('one');
  await until(() => one.working(), 'led');
  const two = candidate('two');
  await until(() => types(two).includes('waiting'), 'waited');
  for (let time = 0; time < 4; time++) {
    server.lease = undefined;
    await sleep(DURATION / 3);
  }
  expect([types(one), types(two)]).toEqual([['leading'], ['waiting']]);
  expect(server.lease!.spec).toMatchObject({ holderIdentity: 'one', leaseTransitions: 0 });
  server.lease = undefined;
  one.stop();
  await until(() => two.working(), 'took over');
  expect(two.terms).toEqual([2]);
});

it('keeps what others wrote into the Lease', async () => {
  server.lease = {
    metadata: { resourceVersion: '0', labels: { team: 'net' } },
    spec: { leaseTransitions: 8, preferredHolder: 'x' },
  };
  const one = candidate('one');
  await until(() => server.written.length > 1, 'renewed');
  expect(server.lease).toMatchObject({
    metadata: { labels: { team: 'net' } },
    spec: { preferredHolder: 'x', leaseTransitions: 9, holderIdentity: 'one' },
  });
  expect(one.terms).toEqual([10]);
});

it('takes a renewal for made whose answer got lost', async () => {
  const one = candidate('one', { durationMs: 2000 });
  await until(() => one.working(), 'led');
  server.mode = 'deaf';
  const before = server.written.length;
  await until(() => server.written.length > before, 'written');
  server.mode = 'answer';
  const after = server.written.length;
  await until(() => server.written.length > after + 2, 'renewed again');
  expect(types(one).filter((it) => it === 'lost')).toEqual([]);
});

it('says what is missing when it may not use the Lease, and goes on trying', async () => {
  server.mode = 'deny';
  const one = candidate('one');
  await until(() => types(one).filter((it) => it === 'lease-failed').length > 1, 'failed');
  expect(one.events[0]).toEqual({
    type: 'lease-failed',
    retryInMs: expect.any(Number),
    error:
      'The Lease ns/lease may not be used: GET /apis/coordination.k8s.io/v1/namespaces/ns/leases/lease was answered with HTTP 403: leases is forbidden. Grant get, create and update on leases in that namespace to this identity, as deploy/rbac.yaml does, or set lease.enabled to never.',
  });
  server.mode = 'answer';
  await until(() => one.working(), 'led');
});

it('ends with a failure when the work does not stop before others may begin', async () => {
  let finish = (): void => undefined;
  const one = candidate(
    'one',
    { durationMs: 600 },
    () =>
      new Promise<void>((resolve) => {
        finish = resolve;
      }),
  );
  await until(() => one.working(), 'led');
  server.mode = 'fail';
  expect(await one.ended).toMatchObject({ code: 'leadership-lost' });
  finish();
});

it('stops waiting when it is asked to', async () => {
  server.write(held('other', { leaseDurationSeconds: 3600 }));
  const one = candidate('one');
  await until(() => types(one).includes('waiting'), 'waited');
  one.stop();
  expect(await one.ended).toBeUndefined();
  expect(server.lease!.spec['holderIdentity']).toBe('other');
});
