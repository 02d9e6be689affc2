import { setTimeout as sleep } from 'node:timers/promises';
// @ts-expect-error kafkajs has no types of this file.
import RequestQueue from 'kafkajs/src/network/requestQueue';
import { checkOnlyWhatWaits } from './kafka-waiting-requests';

/** Of the requests of one connection, as kafkajs has them. */
interface Requests {
  push(request: object): void;
  maybeThrottle(milliseconds: number): void;
  fulfillRequest(answer: object): void;
  checkPendingRequests(): void;
  destroy(): void;
}

const logger = { debug: () => undefined };
const timers = (): number =>
  process.getActiveResourcesInfo().filter((it) => it === 'Timeout').length;
let before = 0;
let sent: number[] = [];
let requests: Requests;

const request = (correlationId: number): object => ({
  entry: { correlationId, apiName: 'Fetch', resolve: () => undefined, reject: () => undefined },
  expectResponse: true,
  sendRequest: () => sent.push(correlationId),
});
const answer = (correlationId: number): object => ({ correlationId, payload: {}, size: 0 });

beforeAll(checkOnlyWhatWaits);
beforeEach(() => {
  before = timers();
  sent = [];
  requests = new RequestQueue({
    maxInFlightRequests: 1,
    requestTimeout: 30_000,
    enforceRequestTimeout: false,
    clientId: 'test',
    broker: 'localhost:9092',
    logger,
  }) as Requests;
});
afterEach(() => requests.destroy());

test('a connection on which no request waits sets no timer', () => {
  requests.push(request(1));
  requests.fulfillRequest(answer(1));
  requests.checkPendingRequests();
  expect([sent, timers()]).toEqual([[1], before]);
});

test('a request that waits for an answer is sent after it', () => {
  requests.push(request(1));
  requests.push(request(2));
  expect(sent).toEqual([1]);
  requests.fulfillRequest(answer(1));
  expect(sent).toEqual([1, 2]);
});

test('a request that the broker has wait is sent when the time is over, and no timer stays', async () => {
  requests.maybeThrottle(50);
  requests.push(request(1));
  expect([sent, timers()]).toEqual([[], before + 1]);
  while (sent.length === 0) await sleep(5);
  expect([sent, timers()]).toEqual([[1], before]);
});
