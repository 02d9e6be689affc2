import * as http from 'node:http';
import * as https from 'node:https';
import type { KubeAccess } from './kube-request';
import { type ScriptedApi, scriptedApi } from '../testing/scripted-api';
import { freshConnections, keptConnections } from './kept-connections';
import type { Kubernetes } from './kubernetes';
import { liveKubernetes } from './live-kubernetes';

const signal = new AbortController().signal;
const IP = {
  apiVersion: 'kubeovn.io/v1',
  kind: 'IP',
  metadata: { name: 'x', uid: 'u', resourceVersion: '7' },
};
const VERSION = { kind: 'IP', name: 'x', uid: 'u', resourceVersion: '7' };

const EVENT = {
  regarding: { kind: 'IP', name: 'x', uid: 'u' },
  type: 'Normal' as const,
  reason: 'Removed',
  action: 'Remove',
  note: 'removed',
};

describe.each<[string, () => https.RequestOptions['agent']]>([
  ['without an agent', () => undefined],
  ['with an agent that keeps none', () => new http.Agent()],
])('an access %s', (_name, agentOf) => {
  let api: ScriptedApi;
  let kubernetes: Kubernetes;
  beforeEach(async () => {
    api = await scriptedApi();
    const agent = agentOf();
    kubernetes = liveKubernetes({
      access: { ...api.access, authenticate: async (options) => void (options.agent = agent) },
      timeoutMs: 300,
    });
    api.answer = () => [200, IP];
  });
  afterEach(async () => {
    await kubernetes.close();
    api.stop();
  });
  const get = () => kubernetes.get('IP', undefined, 'x', signal);

  test('reads follow one another over one connection, each asked again', async () => {
    for (let n = 0; n < 3; n++) expect(await get()).toEqual(IP);
    expect(api.asked).toHaveLength(3);
    expect(new Set(api.ports).size).toBe(1);
  });

  test('each write has a connection of its own, and no read takes it over', async () => {
    await get();
    for (let n = 0; n < 2; n++)
      expect(await kubernetes.delete(VERSION, signal)).toEqual({ is: 'gone' });
    await get();
    const [read, first, second, again] = api.ports;
    expect(again).toBe(read);
    expect(new Set([read, first, second]).size).toBe(3);
  });

  test('a read on a connection that has died is asked once more, over a new one', async () => {
    await get();
    let broken = 0;
    api.answer = () => ((broken += 1) === 1 ? 'break' : [200, IP]);
    expect(await get()).toEqual(IP);
    expect(api.asked).toHaveLength(3);
    expect(api.ports[1]).toBe(api.ports[0]);
    expect(api.ports[2]).not.toBe(api.ports[1]);
  });

  test('once more, and not again; on a new connection not at all', async () => {
    api.answer = () => 'break';
    await expect(get()).rejects.toMatchObject({ code: 'source-unreachable' });
    expect(api.asked).toHaveLength(1);
    api.answer = () => [200, IP];
    await get();
    api.answer = () => 'break';
    await expect(get()).rejects.toMatchObject({ code: 'source-unreachable' });
    expect(api.asked).toHaveLength(4);
  });

  test('lists follow reads over the same connection, and one on a dead connection is asked again', async () => {
    const list = () => kubernetes.list('IP', undefined, signal);
    await get();
    api.answer = () => [200, { kind: 'IPList', metadata: { resourceVersion: '7' }, items: [] }];
    await list();
    expect(new Set(api.ports).size).toBe(1);
    let broken = 0;
    const { answer } = api;
    api.answer = (asked) => ((broken += 1) === 1 ? 'break' : answer(asked));
    expect(await list()).toEqual([]);
    expect(api.ports.at(-2)).toBe(api.ports[0]);
    expect(api.ports.at(-1)).not.toBe(api.ports[0]);
  });

  test('events go over kept connections, since one that is written twice is one', async () => {
    await get();
    api.answer = () => [201, {}];
    expect(await kubernetes.writeEvent(EVENT, signal)).toBe(true);
    expect(new Set(api.ports).size).toBe(1);
    let broken = 0;
    api.answer = () => ((broken += 1) === 1 ? 'break' : [409, {}]);
    expect(await kubernetes.writeEvent(EVENT, signal)).toBe(true);
    expect(api.asked.map((it) => it.method)).toEqual(['GET', 'POST', 'POST', 'POST']);
    expect(api.asked.at(-1)).toEqual(api.asked.at(-2));
  });

  test.each([
    [500, 2],
    [503, 2],
    [403, 1],
  ])('after an answer of %i a read goes on over %i connections', async (status, connections) => {
    api.answer = () => [status, { kind: 'Status', message: 'not now' }];
    await expect(get()).rejects.toMatchObject({ status });
    api.answer = () => [200, IP];
    await get();
    expect(new Set(api.ports).size).toBe(connections);
  });

  test('silence on a kept connection is not asked again', async () => {
    await get();
    api.answer = () => 'silence';
    await expect(get()).rejects.toMatchObject({ code: 'source-unreachable' });
    expect(api.asked).toHaveLength(2);
  });

  test('a write that breaks is sent once, whatever was kept', async () => {
    await get();
    api.answer = () => 'break';
    await expect(kubernetes.delete(VERSION, signal)).rejects.toMatchObject({
      code: 'outcome-unknown',
    });
    expect(api.asked.map((it) => it.method)).toEqual(['GET', 'DELETE']);
  });
});

describe('agents', () => {
  const accessWith = (
    agent: () => https.RequestOptions['agent'],
    server = 'https://there',
  ): KubeAccess => ({
    server: new URL(server),
    authenticate: async (options) => void (options.agent = agent()),
    renew: () => undefined,
  });
  const agentOf = async (access: KubeAccess): Promise<https.RequestOptions['agent']> => {
    const options: https.RequestOptions = {};
    await access.authenticate(options);
    return options.agent;
  };

  test('one that keeps has the credentials of the other, and goes when they do', async () => {
    let given = new https.Agent({ ca: 'a', cert: 'b', key: 'c', servername: 'd' });
    const access = keptConnections(accessWith(() => given));
    const kept = await agentOf(access);
    expect((kept as https.Agent).options).toMatchObject({
      ca: 'a',
      cert: 'b',
      key: 'c',
      servername: 'd',
      keepAlive: true,
    });
    expect(await agentOf(access)).toBe(kept);
    given = new https.Agent({ ca: 'a', cert: 'renewed' });
    expect(((await agentOf(access)) as https.Agent).options).toMatchObject({ cert: 'renewed' });
  });

  test('one that leads through a proxy stays as it is', async () => {
    class Proxied extends https.Agent {}
    const given = new Proxied();
    expect(await agentOf(keptConnections(accessWith(() => given)))).toBe(given);
    expect(await agentOf(freshConnections(accessWith(() => given)))).toBe(given);
  });

  test("Node’s common agent, which keeps, is for nobody's writes", async () => {
    expect(await agentOf(freshConnections(accessWith(() => undefined)))).toBe(false);
  });
});
