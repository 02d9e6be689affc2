import type { KafkaMessage } from 'kafkajs';
import { batchEnd, isMarker, recordOf, transactionOf } from './kafka-read-record';

const message = (more: Partial<KafkaMessage> & Record<string, unknown> = {}): KafkaMessage =>
  ({
    key: Buffer.from('k'),
    value: Buffer.from('v'),
    timestamp: '1700000000000',
    attributes: 0,
    offset: '7',
    headers: {},
    ...more,
  }) as KafkaMessage;

const context = (more: Record<string, unknown> = {}) => ({
  firstOffset: '5',
  lastOffsetDelta: 9,
  producerId: '-1',
  inTransaction: false,
  ...more,
});

describe('a message of Kafka', () => {
  it('becomes a record', () => {
    expect(recordOf(message({ headers: { a: Buffer.from('1'), b: 'two' } }))).toEqual({
      offset: 7n,
      key: 'k',
      value: Buffer.from('v'),
      headers: { a: '1', b: 'two' },
      timestamp: 1_700_000_000_000,
    });
    expect(recordOf(message({ offset: '9007199254740993', value: null }))).toMatchObject({
      offset: 9_007_199_254_740_993n,
      value: null,
    });
  });

  it('may be a foreign one: without a key, with repeated or nameless headers', () => {
    const headers = Object.fromEntries([
      ['__proto__', Buffer.from('x')],
      ['twice', [Buffer.from('1'), Buffer.from('2')]],
      ['none', undefined],
    ]);
    const record = recordOf(message({ key: null, value: Buffer.alloc(0), headers }));
    expect([record.key, record.value, Object.entries(record.headers)]).toEqual([
      '',
      Buffer.alloc(0),
      [
        ['__proto__', 'x'],
        ['twice', '2'],
        ['none', ''],
      ],
    ]);
  });

  it('knows where its batch ends, whatever compaction took from it', () => {
    expect([
      batchEnd(message({ batchContext: context() })),
      batchEnd(message()),
      batchEnd(message({ offset: '20', batchContext: context() })),
    ]).toEqual([15n, 8n, 21n]);
  });

  it('may belong to a transaction, or mark its end', () => {
    expect([
      transactionOf(message({ batchContext: context({ producerId: '4' }) })),
      transactionOf(message({ batchContext: context({ producerId: '4', inTransaction: true }) })),
    ]).toEqual([undefined, '4']);
    expect([isMarker(message()), isMarker(message({ isControlRecord: true }))]).toEqual([
      false,
      true,
    ]);
  });
});
