import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '@ovn-steward/shared/errors';
import type { Logger } from '../log/logger';
import type { ServiceRuntime } from './service';
import { Work } from './work';

let said: string[];
const say = (message: string, fields?: object): void => {
  said.push(`${message} ${JSON.stringify(fields ?? {})}`);
};
const logger: Logger = {
  debug: say,
  info: say,
  warn: say,
  error: say,
  conceal: () => undefined,
  shown: (it) => it,
};
beforeEach(() => {
  said = [];
});

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
const working = (work: ServiceRuntime['work']) => new Work({ work }, { logger, backOff: () => 1 });

test('it ends in order: what is in hand is finished, then what was opened is closed, the last first', async () => {
  const order: string[] = [];
  const work = working(async (signal, opened) => {
    opened('state', () => {
      order.push('state');
    });
    opened('log', async () => {
      await sleep(5);
      order.push('log');
    });
    await untilAborted(signal);
    await sleep(5);
    order.push('in hand');
  });
  const started = work.start();
  expect(work.missing()).toEqual([]);
  const ended = work.end();
  expect(work.missing()).toMatchObject([{ what: 'work' }]);
  await Promise.all([started, ended]);
  expect(order).toEqual(['in hand', 'log', 'state']);
  expect(said).toEqual(['work ended {}', 'closed {"what":"log"}', 'closed {"what":"state"}']);
});

test('a failure that may pass is tried again, with everything closed and opened again', async () => {
  let attempts = 0;
  let open = 0;
  const work = working(async (signal, opened) => {
    open += 1;
    expect(open).toBe(1);
    opened('log', () => {
      open -= 1;
    });
    if (++attempts < 4)
      throw attempts === 2 ? new TypeError('ours') : new Failure('log-unavailable', 'no broker');
    await untilAborted(signal);
  });
  void work.start();
  while (attempts < 4) await sleep(1);
  expect(work.missing()).toEqual([]);
  await work.end();
  expect(said.filter((it) => it.startsWith('work failed'))).toHaveLength(3);
  expect([open, work.failure()]).toEqual([0, undefined]);
});

test('while it waits it says why, and being asked to end ends the wait', async () => {
  const work = new Work(
    { work: () => Promise.reject(new Failure('log-unavailable', 'no broker')) },
    { logger, backOff: () => 60_000 },
  );
  const started = work.start();
  await sleep(5);
  expect(work.missing()).toEqual([
    { what: 'work', detail: 'it failed and is tried again: no broker' },
  ]);
  await work.end();
  await started;
});

test('a failure that cannot be mended is thrown once all is closed', async () => {
  let closed = false;
  const work = working(async (_, opened) => {
    opened('log', () => {
      closed = true;
    });
    throw new Failure('log-topic-drift', 'the topic differs');
  });
  await expect(work.start()).rejects.toMatchObject({ code: 'log-topic-drift' });
  expect([closed, work.failure()]).toEqual([true, 'the topic differs']);
});

test('what fails while it ends is thrown, but for what the signal cut short', async () => {
  const failing = working(async (signal) => {
    await untilAborted(signal);
    throw new Failure('log-unavailable', 'the outbox is not out');
  });
  void failing.start().catch(() => undefined);
  await expect(failing.end()).rejects.toThrow('the outbox');
  const cut = working((signal) => sleep(60_000, undefined, { signal }));
  void cut.start();
  await cut.end();
});

test('one thing that does not close keeps nothing else open', async () => {
  const order: string[] = [];
  const work = working(async (signal, opened) => {
    opened('state', () => {
      order.push('state');
    });
    opened('log', () => {
      throw new Error('broken pipe');
    });
    await untilAborted(signal);
  });
  void work.start();
  await work.end();
  expect(order).toEqual(['state']);
  expect(said).toContainEqual(expect.stringContaining('not closed properly'));
});

test('what it is busy with can be asked when it hangs', async () => {
  const work = working(async (signal, opened) => {
    opened('log', () => new Promise(() => undefined));
    await untilAborted(signal);
  });
  void work.start();
  expect(work.doing()).toBe('work');
  void work.end();
  await sleep(5);
  expect(work.doing()).toBe('closing log');
});
