import type { Socket } from 'node:net';
import {
  answer,
  type Heard,
  startScriptedServer,
  type ScriptedServer,
} from '../../test/scripted-server';
import { connect } from './connection';
import { RefusedError } from './refused-error';
import { JsonRpc, type RpcOptions } from './rpc';

let server: ScriptedServer | undefined;
let rpc: JsonRpc | undefined;

afterEach(async () => {
  rpc?.close();
  await server?.stop();
});

async function talk(
  script: Parameters<typeof startScriptedServer>[0],
  options: RpcOptions = { probeMs: 0 },
): Promise<JsonRpc> {
  server = await startScriptedServer(script);
  rpc = new JsonRpc(await connect(server.remote), server.remote, options);
  return rpc;
}

const reply = (
  write: (heard: Heard, socket: Socket) => void,
): { message: (heard: Heard, socket: Socket) => void } => ({ message: write });
const pass = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const code = (expected: string): unknown => expect.objectContaining({ code: expected });

describe('requests', () => {
  test('are answered, whatever the order and however the bytes come', async () => {
    const waiting: Heard[] = [];
    const client = await talk(
      reply((heard, socket) => {
        waiting.push(heard);
        if (waiting.length < 3) return;
        const bytes = Buffer.from(
          waiting
            .reverse()
            .map(({ id, params }) => JSON.stringify({ id, result: params, error: null }))
            .join(' \n'),
        );
        for (let at = 0; at < bytes.length; at++)
          setTimeout(() => socket.write(bytes.subarray(at, at + 1)), at / 10);
      }),
    );
    expect(
      await Promise.all(['ä', '🦆', 'c'].map((each) => client.request('echoed', [each]))),
    ).toEqual([['ä'], ['🦆'], ['c']]);
  });

  test('keep 64-bit integers, both ways', async () => {
    const client = await talk({
      connected: (socket) =>
        socket.on('data', (bytes) =>
          socket.write(
            bytes
              .toString()
              .replace(/^.*"params":(\[.*?\]).*"id":(\d+)\}$/, '{"id":$2,"result":$1}'),
          ),
        ),
    });
    expect(await client.request('same', [9223372036854775807n])).toEqual([9223372036854775807n]);
  });

  test.each([
    [
      'an object',
      { error: 'unknown database', details: 'no x', syntax: '[]' },
      'unknown database',
      'no x',
    ],
    ['a bare string', 'unknown method', 'unknown method', undefined],
    ['an object without a name', { details: 'odd' }, 'unspecified error', 'odd'],
  ])(
    'fail with the error the server gives as %s, without a result',
    async (_, error, name, details) => {
      const client = await talk(
        reply(({ id }, socket) => socket.write(JSON.stringify({ id, error }))),
      );
      const failure = await client.request('any', []).catch((caught: unknown) => caught);
      expect(failure).toBeInstanceOf(RefusedError);
      expect(failure).toMatchObject({ code: 'refused', method: 'any', error: name, details });
      expect(client.ended).toBeUndefined();
    },
  );

  test('time out, and an answer that comes later harms nobody', async () => {
    const client = await talk(
      reply(
        (heard, socket) =>
          void (heard.method === 'slow'
            ? setTimeout(() => answer(socket, heard, 'late'), 60)
            : answer(socket, heard, 'now')),
      ),
    );
    await expect(client.request('slow', [], 20)).rejects.toEqual(code('timeout'));
    await pass(80);
    expect(await client.request('fast', [])).toBe('now');
  });
});

describe('what the server says unasked', () => {
  test('echoes are answered with the same params and id, other requests refused, notifications reported in order', async () => {
    const client = await talk({
      connected: (socket) =>
        socket.write(
          '{"method":"echo","params":["x",1],"id":"echo"}{"method":"what","params":[],"id":7}{"method":"a","params":[1],"id":null}{"method":"b","params":[2],"id":null}',
        ),
    });
    const reported: unknown[] = [];
    client.listen({ onNotification: (method, params) => reported.push([method, params]) });
    await pass(50);
    expect(server?.heard).toEqual([
      { id: 'echo', result: ['x', 1], error: null },
      { id: 7, result: null, error: 'unknown method' },
    ]);
    expect(reported).toEqual([
      ['a', [1]],
      ['b', [2]],
    ]);
  });

  test('waits in the kernel while reading is paused, and nothing is lost', async () => {
    const sent = 20_000;
    const filler = 'x'.repeat(1000);
    const client = await talk({
      connected: (socket) => {
        for (let n = 0; n < sent; n++)
          socket.write(JSON.stringify({ method: 'update', params: [n, filler], id: null }));
      },
    });
    const reported: unknown[] = [];
    client.listen({ onNotification: (_, [n]) => void (reported.push(n) === 1 && client.pause()) });
    await pass(200);
    // One chunk is at most 64 KiB.
    expect(reported.length).toBeLessThan(70);
    client.resume();
    while (reported.length < sent && client.ended === undefined) await pass(10);
    expect(reported).toEqual(Array.from({ length: sent }, (_, n) => n));
  });
});

describe('the connection ends, and requests under way fail with its reason', () => {
  const failing = async (bytes: string | Buffer, options?: RpcOptions): Promise<unknown[]> => {
    const client = await talk(
      reply((_, socket) => void socket.write(bytes)),
      options,
    );
    return Promise.all([client.request('any', []).catch((error: unknown) => error), client.closed]);
  };

  test.each<[string, string | Buffer]>([
    ['garbage', 'HTTP/1.1 400 Bad Request'],
    ['text that only looks like JSON', '{"id":1,"result":tru}'],
    ['a list', '[1,2]'],
    ['a request without params', '{"method":"update","id":null}'],
    ['a request with params that are no list', '{"method":"update","params":{},"id":null}'],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])],
  ])('after %s', async (_, bytes) => {
    const [failure, reason] = await failing(bytes);
    expect(failure).toEqual(code('protocol'));
    expect(failure).toBe(reason);
  });

  test('after a message larger than allowed', async () => {
    expect(
      (
        await failing(`{"id":1,"result":"${'x'.repeat(2000)}"}`, {
          probeMs: 0,
          maxMessageBytes: 1000,
        })
      )[0],
    ).toEqual(code('protocol'));
  });

  test('when it is asked to speak TLS', async () => {
    expect((await failing(Buffer.from('15030300020232', 'hex')))[0]).toEqual(code('certificate'));
  });

  test('when the server hangs up in the middle of a message', async () => {
    const client = await talk(reply((_, socket) => void socket.end('{"id":1,"resu')));
    await expect(client.request('any', [])).rejects.toEqual(code('closed'));
    await expect(client.request('again', [])).rejects.toBe(await client.closed);
  });

  test('when the server hangs up before its first byte, as one that wants TLS does', async () => {
    const client = await talk(reply((_, socket) => void socket.end()));
    await expect(client.request('any', [])).rejects.toEqual(code('certificate'));
  });

  test('when the server falls silent, also on echoes', async () => {
    const client = await talk({}, { probeMs: 30 });
    await expect(client.request('any', [])).rejects.toEqual(code('timeout'));
  });

  test('when a listener throws', async () => {
    const client = await talk({
      connected: (socket) => socket.write('{"method":"a","params":[],"id":null}'),
    });
    client.listen({
      onNotification: () => {
        throw new Error('of ours');
      },
    });
    expect(await client.closed).toMatchObject({
      code: 'protocol',
      cause: expect.objectContaining({ message: 'of ours' }),
    });
  });

  test('when we close it; only the first reason counts', async () => {
    const client = await talk({});
    client.close();
    expect(await client.closed).toEqual(code('closed'));
    client.notify('nobody', []);
    await expect(client.request('any', [])).rejects.toBe(client.ended);
  });
});

test('an answered echo is reported to whoever listens, with the time it was sent', async () => {
  const client = await talk(
    reply((heard, socket) => answer(socket, heard, heard.params)),
    { probeMs: 20 },
  );
  const before = Date.now();
  const at = await new Promise<number>((resolve) => client.listen({ onAlive: resolve }));
  expect(at).toBeGreaterThanOrEqual(before);
  expect(at).toBeLessThanOrEqual(Date.now());
});

test('an answered request leaves no timer behind that would keep a process from ending', async () => {
  const client = await talk(reply((heard, socket) => answer(socket, heard, 1)));
  const timers = (): number =>
    process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
  const before = timers();
  for (let n = 0; n < 5; n++) await client.request('any', [], 60_000);
  expect(timers()).toBeLessThanOrEqual(before);
});
