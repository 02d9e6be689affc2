import { harmfulLines, harmlessNotes, keepsMore, mendingOf } from './topic-difference';

const HOURS = { topic: 't', text: 'retentionMs is 1, not 2', harmless: false };

describe('a setting of a topic that differs', () => {
  test.each<[string, unknown, boolean]>([
    ['deleteRetentionMs', 11, true],
    ['deleteRetentionMs', '11', true],
    ['deleteRetentionMs', 10, false],
    ['deleteRetentionMs', 9, false],
    ['minCompactionLagMs', 11, true],
    ['maxCompactionLagMs', '9223372036854775807', true],
    ['maxMessageBytes', 11, true],
    ['maxMessageBytes', 9, false],
    ['retentionMs', '-1', true],
    ['deleteRetentionMs', '-1', false],
    ['partitions', 11, false],
    ['in-sync replicas', 11, false],
    ['retentionMs', undefined, false],
    ['retentionMs', '', false],
    ['retentionMs', 'much', false],
  ])('%s, 10 wanted and %p found: keeps more is %p', (setting, found, more) => {
    expect(keepsMore(setting, 10, found)).toBe(more);
  });

  test('is a line when it breaks a promise, else a sentence', () => {
    const more = { topic: 't', text: 'maxMessageBytes is 3, not 2', harmless: true };
    expect(harmfulLines([HOURS, more])).toEqual(['t: retentionMs is 1, not 2']);
    expect(harmlessNotes([HOURS, more])).toEqual([
      't: maxMessageBytes is 3, not 2. It keeps more than is needed, which harms nothing.',
    ]);
  });

  test('is mended by one command a topic, with the harmful settings alone', () => {
    const mend = { config: 'retention.ms', value: '2' };
    expect(
      mendingOf(
        [
          { ...HOURS, mend },
          { ...HOURS, mend: { config: 'max.message.bytes', value: '5' } },
          { ...HOURS, harmless: true, mend: { config: 'never', value: '0' } },
          { ...HOURS, topic: 'u', mend },
        ],
        'b:1',
      ),
    ).toEqual([
      'kafka-configs.sh --bootstrap-server b:1 --alter --entity-type topics --entity-name t --add-config retention.ms=2,max.message.bytes=5',
      'kafka-configs.sh --bootstrap-server b:1 --alter --entity-type topics --entity-name u --add-config retention.ms=2',
    ]);
  });

  test('that nothing mends has no command, and neither has the rest of its topic', () => {
    const commands = mendingOf(
      [HOURS, { ...HOURS, mend: { config: 'retention.ms', value: '2' } }],
      'b:1',
    );
    expect(commands).toEqual([
      'no command corrects t: set another kafka.topicPrefix, so that the services make topics of their own',
    ]);
  });
});
