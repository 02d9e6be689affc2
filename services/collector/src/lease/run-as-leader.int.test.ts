import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeWith, kubernetes } from '@ovn-steward/testbed/fixture';
import { type KubernetesServer, startKubernetes } from '@ovn-steward/testbed/kubernetes';
import { kubeAccess } from '@ovn-steward/systems/kubernetes/kube-access';
import type { KubeAccess } from '@ovn-steward/systems/kubernetes/kube-request';
import { TYPESCRIPT_ARGUMENTS } from '@ovn-steward/shared/testing/typescript-arguments';
import { until } from '@ovn-steward/shared/testing/until';
import { type LeaseEvent, runAsLeader } from './run-as-leader';

const DURATION = 3000;

/**
 * A candidate in a process of its own, which can be frozen: says each event, and `at work <term>`
 * every 20 ms while it is.
 */
const CANDIDATE = `
  const [folder, kubeconfig, name] = process.argv.slice(1);
  const { kubeAccess } = require(folder + '/../../../../libs/systems/src/kubernetes/kube-access.ts');
  const { runAsLeader } = require(folder + '/run-as-leader.ts');
  const say = (text) => process.stdout.write(text + '\\n');
  const stop = new AbortController();
  process.on('SIGTERM', () => stop.abort());
  runAsLeader({ access: kubeAccess({ kubeconfig }), namespace: 'default', name, identity: 'child', durationMs: ${DURATION}, onEvent: (it) => say(JSON.stringify(it)) }, (term, signal) => new Promise((resolve) => {
    const working = setInterval(() => say('at work ' + term), 20);
    signal.addEventListener('abort', () => { clearInterval(working); say('stopped'); resolve(); });
  }), stop.signal).then(() => process.exit(0), (error) => { say(String(error)); process.exit(1); });
`;

describeWith(kubernetes, 'collectors that take turns by a Lease of a real API server', () => {
  let server: KubernetesServer;
  let access: KubeAccess;
  const stops: (() => Promise<unknown>)[] = [];
  const children: ChildProcess[] = [];
  let lease = '';
  let leases = 0;

  beforeAll(async () => {
    server = await startKubernetes({
      rbac: true,
      users: [{ name: 'nobody', token: 'token-of-nobody' }],
    });
    access = kubeAccess({ kubeconfig: server.kubeconfig });
  }, 180_000);
  beforeEach(() => {
    lease = `collector-${++leases}`;
  });
  afterEach(async () => {
    await server.signal('SIGCONT');
    for (const stop of stops.splice(0)) await stop();
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });
  afterAll(() => server?.stop());

  const specOf = async (): Promise<Record<string, unknown>> =>
    (
      (await server.api.get(`/apis/coordination.k8s.io/v1/namespaces/default/leases/${lease}`)) as {
        spec: Record<string, unknown>;
      }
    ).spec;

  function candidate(
    identity: string,
    {
      as = access,
      namespace = 'default',
      durationMs = DURATION,
    }: { as?: KubeAccess; namespace?: string; durationMs?: number } = {},
  ) {
    const own = new AbortController();
    const candidacy = {
      events: [] as LeaseEvent[],
      terms: [] as number[],
      working: false,
      stop: async (): Promise<void> => undefined,
    };
    const ended = runAsLeader(
      {
        access: as,
        namespace,
        name: lease,
        identity,
        durationMs,
        onEvent: (event) => candidacy.events.push(event),
      },
      async (term, signal) => {
        candidacy.terms.push(term);
        candidacy.working = true;
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        candidacy.working = false;
      },
      own.signal,
    );
    candidacy.stop = async () => {
      own.abort();
      await ended;
    };
    stops.push(candidacy.stop);
    return candidacy;
  }

  function child(): { readonly said: string[]; readonly process: ChildProcess } {
    const process_ = spawn(
      process.execPath,
      [...TYPESCRIPT_ARGUMENTS, '-e', CANDIDATE, __dirname, server.kubeconfig, lease],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    children.push(process_);
    const said: string[] = [];
    createInterface({ input: process_.stdout! }).on('line', (line) => said.push(line));
    return { said, process: process_ };
  }

  test('one leads; when it ends the other leads at once, with the next term', async () => {
    // Whoever waited for the duration of the one that leads would wait for longer than this test.
    const one = candidate('one', { durationMs: 600_000 });
    await until(() => one.working, 'led');
    expect(await specOf()).toEqual({
      holderIdentity: 'one',
      leaseDurationSeconds: 600,
      leaseTransitions: 0,
      acquireTime: expect.stringMatching(/\.\d{6}Z$/),
      renewTime: expect.stringMatching(/\.\d{6}Z$/),
    });
    const two = candidate('two');
    await until(() => two.events.length > 0, 'waited');
    expect(two.events).toEqual([{ type: 'waiting', holder: 'one' }]);
    await one.stop();
    expect((await specOf())['holderIdentity']).toBeUndefined();
    await until(() => two.working, 'took over');
    expect([one.terms, two.terms, one.events.at(-1)]).toEqual([[1], [2], { type: 'released' }]);
    expect(await specOf()).toMatchObject({ holderIdentity: 'two', leaseTransitions: 1 });
  });

  test('a frozen leader is replaced after the duration, and stops when it wakes', async () => {
    const frozen = child();
    await until(() => frozen.said.includes('at work 1'), 'led');
    const other = candidate('other');
    await until(() => other.events.length > 0, 'waited');
    frozen.process.kill('SIGSTOP');
    const since = performance.now();
    await until(() => other.working, 'took over');
    expect(performance.now() - since).toBeGreaterThan(DURATION * 0.7); // it was renewed last some time before it froze
    expect(other.terms).toEqual([2]);
    frozen.process.kill('SIGCONT');
    await until(() => frozen.said.includes('stopped'), 'stopped');
    expect(frozen.said.filter((it) => it.includes('"lost"'))).toHaveLength(1);
    await sleep(DURATION / 2);
    expect(frozen.said.at(-1)).toBe('{"type":"waiting","holder":"other"}');
    expect(other.working).toBe(true);
    await other.stop();
    await until(() => frozen.said.includes('at work 3'), 'led again');
    frozen.process.kill('SIGTERM');
    await until(() => frozen.process.exitCode === 0, 'ended');
    expect((await specOf())['holderIdentity']).toBeUndefined();
  });

  test('a leader that is killed is replaced after the duration', async () => {
    const killed = child();
    await until(() => killed.said.includes('at work 1'), 'led');
    const other = candidate('other');
    await until(() => other.events.length > 0, 'waited');
    killed.process.kill('SIGKILL');
    await until(() => other.working, 'took over');
    expect(other.terms).toEqual([2]);
  });

  test('a leader that cannot reach the API server stops working, and works again when it answers', async () => {
    const one = candidate('one');
    await until(() => one.working, 'led');
    await server.signal('SIGSTOP');
    await until(() => !one.working, 'stopped');
    const two = candidate('two');
    await sleep(DURATION);
    expect([one.working, two.working]).toEqual([false, false]);
    await server.signal('SIGCONT');
    await until(() => one.working || two.working, 'anyone led');
    await sleep(DURATION / 2);
    expect(one.working && two.working).toBe(false);
  });

  test('who may not use it, or has no such namespace, gets an error that says what to do', async () => {
    const nobody = candidate('nobody', {
      as: {
        ...access,
        authenticate: async (request) => {
          await access.authenticate(request);
          request.headers = { ...request.headers, Authorization: 'Bearer token-of-nobody' };
        },
      },
    });
    const lost = candidate('lost', { namespace: 'no-such-namespace' });
    await until(() => nobody.events.length > 0 && lost.events.length > 0, 'failed');
    expect([nobody.events[0], lost.events[0]]).toMatchObject([
      {
        type: 'lease-failed',
        error: expect.stringMatching(
          new RegExp(
            `^The Lease default/${lease} may not be used: GET .* HTTP 403: .*User "nobody" cannot get resource "leases".* Grant get, create and update on leases in that namespace to this identity`,
          ),
        ),
      },
      {
        type: 'lease-failed',
        error: `The Lease no-such-namespace/${lease} cannot be made: POST /apis/coordination.k8s.io/v1/namespaces/no-such-namespace/leases was answered with HTTP 404: namespaces "no-such-namespace" not found. Create the namespace, or name another (lease.namespace).`,
      },
    ]);
  });
});
