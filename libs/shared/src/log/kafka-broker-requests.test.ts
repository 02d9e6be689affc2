import { Failure } from '../errors';
import { createBrokerRequests } from './kafka-broker-requests';
import type { KafkaClient } from './kafka-client';
import { KAFKA_TIMING, type KafkaLogEvent } from './kafka-options';
import { createWithin } from './kafka-within';

/** Requests by clients that connect, and count how many were opened and cut. */
function requests() {
  const closing = new AbortController();
  const clients = { opened: 0, cut: 0 };
  const events: KafkaLogEvent[] = [];
  const admin = { connect: () => Promise.resolve(), disconnect: () => Promise.resolve() };
  const { query, close } = createBrokerRequests({
    timing: { ...KAFKA_TIMING, retryMs: 60, maxRetryMs: 60 },
    closed: closing.signal,
    client() {
      clients.opened += 1;
      return {
        kafka: { admin: () => admin },
        cut: () => (clients.cut += 1),
      } as never as KafkaClient;
    },
    within: createWithin(['a:1']),
    failure: (_error, what) => Promise.resolve(new Failure('log-unavailable', what)),
    onEvent: (event) => void events.push(event),
  });
  return {
    clients,
    events,
    query,
    close: () => {
      closing.abort();
      return close();
    },
  };
}

test('a request that failed is sent again by another client', async () => {
  const { clients, query, close } = requests();
  let tries = 0;
  await expect(
    query('Asking', () =>
      (tries += 1) === 1 ? Promise.reject(new Error('no')) : Promise.resolve(7),
    ),
  ).resolves.toBe(7);
  await close();
  expect(clients).toEqual({ opened: 2, cut: 2 });
});

test('closed between two tries, it opens no client that nobody would close', async () => {
  const { clients, events, query, close } = requests();
  const asked = query('Asking', () => Promise.reject(new Error('no')));
  const refused = expect(asked).rejects.toMatchObject({ code: 'log-closed' });
  while (events.length === 0) await new Promise((resolve) => setImmediate(resolve));
  await close();
  await refused;
  expect(clients).toEqual({ opened: 1, cut: 1 });
});

test('neither does a request that comes after it was closed', async () => {
  const { clients, query, close } = requests();
  await close();
  await expect(query('Asking', () => Promise.resolve(1))).rejects.toMatchObject({
    code: 'log-closed',
  });
  expect(clients.opened).toBe(0);
});
