import { KAFKA_RIGHTS, rightUnder } from '@ovn-steward/shared/log/kafka-rights';
import { madeWith } from '@ovn-steward/shared/log/kafka-topics';
import { TOPICS } from '@ovn-steward/shared/log/topics';
import { describeWith, helm } from '@ovn-steward/testbed/fixture';
import { type ChartObject, rendered } from './rendered';
import { NOTIFY, STRIMZI } from './value-sets';

const NOTIFY_CHAT = { type: 'slack', url: 'https://hooks.example.org/x' };
const PEOPLE = ['approver', 'operator', 'subscriber'];
const withSettings = (kafka: object, more: object = {}): readonly ChartObject[] =>
  rendered({ ...STRIMZI, kafka: { ...STRIMZI.kafka, ...more }, settings: { kafka } });
const ofKind = (objects: readonly ChartObject[], kind: string): readonly ChartObject[] =>
  objects.filter((it) => it.kind === kind);

describeWith(helm, 'the objects for Strimzi', () => {
  test.each([
    ['steward.', 3],
    ['east.steward.', 1],
  ])('topics under %s with %d copies are as the services make them', (topicPrefix, copies) => {
    const made = ofKind(withSettings({ topicPrefix, replicationFactor: copies }), 'KafkaTopic').map(
      ({ spec }) => spec,
    );
    expect(made).toEqual(
      TOPICS.map((topic) => ({
        topicName: topic.name.replace('steward.', topicPrefix),
        partitions: topic.partitions,
        replicas: copies,
        config: Object.fromEntries(madeWith(topic, copies).map(({ name, value }) => [name, value])),
      })),
    );
  });

  test.each(['steward.', 'east.steward.'])(
    'users under %s have the rights of the table, and no others',
    (topicPrefix) => {
      const strimzi = { ...STRIMZI.kafka.strimzi, people: PEOPLE };
      const users = ofKind(withSettings({ topicPrefix }, { strimzi }), 'KafkaUser');
      expect(
        Object.fromEntries(
          users.map(({ metadata, spec }) => [
            metadata.name.replace('ovn-steward-', ''),
            (spec as { authorization: { type: string; acls: object[] } }).authorization,
          ]),
        ),
      ).toEqual(
        Object.fromEntries(
          ['collector', 'analyzer', 'executor', ...PEOPLE].map((principal) => [
            principal,
            {
              type: 'simple',
              acls: KAFKA_RIGHTS.filter((it) => it.principal === principal)
                .map((it) => rightUnder(topicPrefix, it))
                .map(({ resource, name, prefix, operations }) => ({
                  resource: { type: resource, name, patternType: prefix ? 'prefix' : 'literal' },
                  operations,
                })),
            },
          ]),
        ),
      );
    },
  );

  test('users are for the services alone unless people are named', () => {
    expect(ofKind(rendered(STRIMZI), 'KafkaUser').map(({ metadata }) => metadata.name)).toEqual([
      'ovn-steward-collector',
      'ovn-steward-analyzer',
      'ovn-steward-executor',
    ]);
  });

  test('the notifier has one where it runs, with the rights of the table', () => {
    const users = ofKind(rendered({ ...STRIMZI, ...NOTIFY }), 'KafkaUser');
    expect(users.map(({ metadata }) => metadata.name)).toContain('ovn-steward-notifier');
    const { authorization } = users.at(-1)!.spec as { authorization: { acls: object[] } };
    expect(authorization.acls).toEqual(
      KAFKA_RIGHTS.filter((it) => it.principal === 'notifier').map(
        ({ resource, name, prefix, operations }) => ({
          resource: { type: resource, name, patternType: prefix ? 'prefix' : 'literal' },
          operations,
        }),
      ),
    );
  });

  test('the notifier may write to the topics of its sinks, each once, by their whole names', () => {
    const kafka = { type: 'kafka', topic: 'network-events' };
    const sinks = { one: kafka, two: { ...kafka, type: 'kafka-binary' }, chat: NOTIFY_CHAT };
    const values = { ...STRIMZI, settings: { kafka: { topicPrefix: 'east.' }, notify: { sinks } } };
    const user = ofKind(rendered(values), 'KafkaUser').at(-1)!;
    expect(user.metadata.name).toBe('ovn-steward-notifier');
    const { acls } = (user.spec as { authorization: { acls: { resource: object }[] } })
      .authorization;
    const ofTable = KAFKA_RIGHTS.filter((it) => it.principal === 'notifier').length;
    expect(acls.slice(ofTable)).toEqual([
      {
        resource: { type: 'topic', name: 'network-events', patternType: 'literal' },
        operations: ['Describe', 'DescribeConfigs', 'Write'],
      },
    ]);
  });

  test('topics outlive the release, and all belong to the cluster', () => {
    const objects = rendered(STRIMZI);
    for (const { metadata } of ofKind(objects, 'KafkaTopic'))
      expect(metadata.annotations).toEqual({ 'helm.sh/resource-policy': 'keep' });
    for (const kind of ['KafkaTopic', 'KafkaUser'])
      for (const { metadata } of ofKind(objects, kind))
        expect(metadata.labels['strimzi.io/cluster']).toBe('events');
  });

  test('none where somebody else makes them', () => {
    const strimzi = { ...STRIMZI.kafka.strimzi, topics: false, users: false };
    const client = { username: 'x', secretName: 'x' };
    const clients = { collector: client, analyzer: client, executor: client };
    expect(
      withSettings({}, { strimzi, clients }).filter(({ kind }) => kind.startsWith('Kafka')),
    ).toEqual([]);
  });
});
