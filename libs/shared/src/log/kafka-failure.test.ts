import {
  KafkaJSAggregateError,
  KafkaJSConnectionError,
  KafkaJSNonRetriableError,
  KafkaJSNumberOfRetriesExceeded,
  KafkaJSProtocolError,
  KafkaJSRequestTimeoutError,
} from 'kafkajs';
import { Failure, type FailureCode } from '../errors';
import { isHopeless, kafkaFailure, needsCoordinator } from './kafka-failure';

const ACCESS = { brokers: ['a:1', 'b:2'], tls: true, user: 'steward', mechanism: 'scram-sha-512' };
const protocol = (type: string): Error =>
  new KafkaJSProtocolError(
    Object.assign(new Error('text that changes'), { type, code: 7, retriable: false }),
  );
const wrapped = (cause: Error): Error =>
  Object.assign(new KafkaJSNonRetriableError(cause), { cause });
const coded = (code: string): Error =>
  new KafkaJSConnectionError('text that changes', { broker: 'b:2', code } as never);

describe('kafkaFailure', () => {
  it.each<[string, FailureCode, string]>([
    ['TOPIC_AUTHORIZATION_FAILED', 'log-forbidden', 'the user steward'],
    ['GROUP_AUTHORIZATION_FAILED', 'log-forbidden', 'Read and Describe on the group'],
    ['CLUSTER_AUTHORIZATION_FAILED', 'log-forbidden', 'Create'],
    ['SASL_AUTHENTICATION_FAILED', 'log-forbidden', 'SCRAM-SHA-512'],
    ['MESSAGE_TOO_LARGE', 'log-record-refused', 'max.message.bytes'],
    ['INVALID_RECORD', 'log-record-refused', ''],
    ['INVALID_TIMESTAMP', 'log-record-refused', 'clock'],
    ['UNKNOWN_TOPIC_OR_PARTITION', 'log-topic-unknown', 'docs/kafka.md'],
    ['OFFSET_OUT_OF_RANGE', 'log-position-lost', 'first offset'],
    ['ILLEGAL_GENERATION', 'log-partition-lost', ''],
    ['UNKNOWN_MEMBER_ID', 'log-partition-lost', ''],
    ['REBALANCE_IN_PROGRESS', 'log-partition-lost', ''],
    ['NOT_ENOUGH_REPLICAS', 'log-unavailable', 'min.insync.replicas'],
    ['INVALID_REPLICATION_FACTOR', 'log-unavailable', 'kafka.replicationFactor'],
    ['NOT_LEADER_FOR_PARTITION', 'log-unavailable', 'NOT_LEADER_FOR_PARTITION'],
    ['OUT_OF_ORDER_SEQUENCE_NUMBER', 'log-unavailable', ''],
  ])('knows %s by its type, however it is wrapped', (type, code, mention) => {
    const many = new KafkaJSAggregateError('several', [
      protocol('TOPIC_ALREADY_EXISTS'),
      protocol(type),
    ]);
    const retried = new KafkaJSNumberOfRetriesExceeded(protocol(type), {
      retryCount: 5,
      retryTime: 1,
    });
    for (const error of [protocol(type), wrapped(protocol(type)), retried, many]) {
      const failure = kafkaFailure(error, 'Appending to t/0', ACCESS);
      expect(failure).toMatchObject({ code, cause: error });
      expect(failure.message).toMatch(/^Appending to t\/0 failed: .*\.$/);
      expect(failure.message).toContain(mention);
      expect(failure.message).not.toContain('text that changes');
    }
  });

  it('knows certificates from sockets by their codes, and names the broker', () => {
    expect(kafkaFailure(coded('DEPTH_ZERO_SELF_SIGNED_CERT'), 'X', ACCESS).message).toMatch(
      /TLS with b:2 \(DEPTH_ZERO_SELF_SIGNED_CERT\).*kafka\.tls/,
    );
    expect(kafkaFailure(coded('ECONNREFUSED'), 'X', ACCESS).message).toMatch(
      /no connection to b:2 \(ECONNREFUSED\).*kafka\.brokers/,
    );
    expect(
      kafkaFailure(new KafkaJSRequestTimeoutError('', { broker: 'b:2' } as never), 'X', ACCESS)
        .message,
    ).toMatch(/b:2 did not answer/);
    expect(
      [
        coded('DEPTH_ZERO_SELF_SIGNED_CERT'),
        protocol('INVALID_REPLICATION_FACTOR'),
        coded('ECONNREFUSED'),
        new Error('x'),
      ].map(isHopeless),
    ).toEqual([true, true, false, false]);
  });

  it('takes what it does not know for an unknown outcome, and names the brokers', () => {
    for (const error of [
      new Error('Broker not connected'),
      'thrown',
      undefined,
      null,
      new TypeError('x of null'),
      protocol('__proto__'),
      protocol('constructor'),
    ]) {
      expect(kafkaFailure(error, 'X', ACCESS)).toMatchObject({
        code: 'log-unavailable',
        message: expect.stringContaining('a:1, b:2'),
      });
    }
  });

  it('leaves a Failure as it is, and finds one inside', () => {
    const failure = new Failure('log-closed', 'closed');
    expect(kafkaFailure(failure, 'X', ACCESS)).toBe(failure);
    expect(kafkaFailure(wrapped(failure), 'X', ACCESS)).toBe(failure);
  });

  it('ends where errors cause each other', () => {
    const a = new Error('a');
    const b = new Error('b');
    a.cause = b;
    b.cause = a;
    expect(kafkaFailure(a, 'X', ACCESS).code).toBe('log-unavailable');
  });

  it('knows by its name that a coordinator was not found', () => {
    const error = Object.assign(new Error('x'), { name: 'KafkaJSGroupCoordinatorNotFound' });
    expect(
      [
        wrapped(error),
        new Failure('log-unavailable', 'x', { cause: error }),
        new Error('Failed to find group coordinator'),
      ].map(needsCoordinator),
    ).toEqual([true, true, false]);
  });
});
