import type { TopicSpec } from '@ovn-steward/shared/log/log';
import {
  ACTIONS,
  CHANGES,
  CONTROL,
  DEAD_LETTER,
  FINDINGS,
  STATUS,
  TOPICS,
} from '@ovn-steward/shared/log/topics';

/** What others need to know of a topic beyond its settings. Sentences are CommonMark. */
interface Channel {
  readonly title: string;
  readonly description: string;
  readonly key: string;
  readonly messages: Readonly<Record<string, Message>>;
}

interface Message {
  readonly title: string;
  readonly contentType?: string;
  /** The file of `contracts/schemas` that says what the value is; none for a tombstone. */
  readonly schema?: string;
  readonly description?: string;
  /** By name, what each header says. All are text. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Those of them that every such record has. */
  readonly always?: readonly string[];
}

const POSITION = {
  id: 'the id of the change',
  stream: 'the stream it is of',
  epoch: 'its epoch, in decimal',
  seq: 'its seq, in decimal',
};
const REPLAY = { 'replay-of': 'the id of the dead letter it was replayed from' };
/** On every decision; who withdraws one without a value writes none. */
const NAMED = { id: 'the id of the decision' };
const SIGNED = {
  'steward-signature':
    'who wrote it: `v=1;alg=ed25519;key=<key id>;at=<ms since 1970>;sig=<base64>` (docs/signing.md); without, executors refuse the record by default',
};
const ORIGIN = {
  changes: 'the changes it came from, `<partition>/<first offset>-<last offset>`',
  analyzer: 'which memory of an analyzer it came from',
};

/** What each topic is for, by its name. */
export const CHANNELS: Readonly<Record<string, Channel>> = {
  [CHANGES]: {
    title: 'What happens in OVN and Kubernetes',
    description:
      'Every change of the rows and objects of a cluster, in one order, and how far its sources are known. Within a stream (epoch, seq) only grows: drop what is not newer than what you have. A reader that was away for longer than the delete retention has missed tombstones and must read from the beginning.',
    key: '`<cluster>/<source>/<kind>/<uid>` for what concerns one row or object, `<cluster>/<source>/_<type>/<stream>` for the rest.',
    messages: {
      change: {
        title: 'A change',
        schema: 'change.v1.schema.json',
        headers: { ...POSITION, ...REPLAY },
        description: 'Only a `delete` has the position in its headers, too.',
      },
      changeTombstone: {
        title: 'The row or object is gone',
        headers: { ...POSITION, ...REPLAY },
        description:
          'Follows the `delete` with the same position, so that compaction forgets the key.',
      },
    },
  },
  [FINDINGS]: {
    title: 'What is wrong',
    description:
      'Every finding as it stands. An event may be repeated: its id is that of the finding and its revision, so drop those you have.',
    key: 'The id of the finding.',
    messages: {
      finding: {
        title: 'A finding as a CloudEvent',
        contentType: 'application/cloudevents+json',
        schema: 'finding-event.v1.schema.json',
        headers: { 'content-type': 'always `application/cloudevents+json`', ...ORIGIN, ...REPLAY },
        always: ['content-type', 'changes', 'analyzer'],
      },
      findingTombstone: {
        title: 'The finding is forgotten',
        headers: ORIGIN,
        always: ['changes', 'analyzer'],
        description: 'Some 30 days after it was resolved.',
      },
    },
  },
  [STATUS]: {
    title: 'How far a cluster is known',
    description:
      'For each source of a cluster through when it is known, what of it is not, and which rules therefore say nothing. Without it an empty list of findings may be blindness. Published when something becomes known or unknown, and once a minute while the sources go on.',
    key: '`<cluster>/<source>`',
    messages: {
      sourceStatus: {
        title: 'How far a source is known',
        schema: 'status.v1.schema.json',
        headers: { 'content-type': 'always `application/json`', analyzer: ORIGIN.analyzer },
        always: ['content-type', 'analyzer'],
      },
      sourceStatusTombstone: {
        title: 'The source is forgotten',
        description: 'Not written yet: for those who clean up after a removed cluster.',
      },
    },
  },
  [CONTROL]: {
    title: 'What people decide',
    description:
      'Holds and approvals, plans to be carried out, what is to be undone, and what of these is withdrawn. A decision may be repeated: its id says that it is one. The executor respects a hold within a second, and says so in a record of its own (`heard`), one for each change.',
    key: '`<cluster>/<what it decides about>`: a later decision about the same replaces an earlier one.',
    messages: {
      control: {
        title: 'A decision',
        schema: 'control.v1.schema.json',
        headers: { ...NAMED, ...SIGNED, ...REPLAY },
        always: ['id'],
      },
      controlTombstone: {
        title: 'The decision is forgotten',
        headers: { ...SIGNED, ...REPLAY },
        description: 'As if it had never been made.',
      },
    },
  },
  [ACTIONS]: {
    title: 'What is done about findings',
    description:
      'The ledger of the executor: every decision it took about a finding, also to do nothing, as it stands. A record may be repeated, and an older one may come behind a newer: of each id the greatest revision counts, and of two records with the same revision the first.',
    key: 'The id of the action.',
    messages: {
      action: {
        title: 'An action',
        schema: 'action.v1.schema.json',
        headers: { ...SIGNED, ...REPLAY },
      },
      actionTombstone: {
        title: 'The action is forgotten',
        headers: { ...SIGNED, ...REPLAY },
        description: 'It can no longer be undone.',
      },
    },
  },
  [DEAD_LETTER]: {
    title: 'What could not be read or published',
    description:
      'Records that a service set aside, each whole as far as the topic takes it, until they expire. The same failure has the same id.',
    key: "The original's.",
    messages: {
      deadLetter: {
        title: 'A record that was set aside',
        schema: 'dead-letter.v1.schema.json',
        headers: { id: 'the id of the letter', analyzer: ORIGIN.analyzer },
        always: ['id'],
      },
      replayed: {
        title: 'The letter was replayed',
        headers: { id: 'the id of the letter' },
        always: ['id'],
      },
    },
  },
};

const text = (description: string): object => ({ type: 'string', description });

const messageOf = (
  key: string,
  {
    title,
    contentType = 'application/json',
    schema,
    description,
    headers = {},
    always = [],
  }: Message,
): object => ({
  title,
  ...(description !== undefined && { description }),
  contentType,
  headers: {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(headers).map(([name, says]) => [name, text(says)]),
    ),
    ...(always.length > 0 && { required: always }),
  },
  payload:
    schema === undefined
      ? { type: 'null', description: 'No value: a tombstone in the sense of Kafka.' }
      : {
          schemaFormat: 'application/schema+json;version=2020-12',
          schema: { $ref: `./schemas/${schema}` },
        },
  bindings: { kafka: { key: text(key), bindingVersion: '0.5.0' } },
});

/** The topic's settings by their names in Kafka. */
const configurationOf = (spec: TopicSpec): object => ({
  'cleanup.policy': [spec.cleanup],
  ...(spec.cleanup === 'compact'
    ? {
        'min.compaction.lag.ms': spec.minCompactionLagMs,
        'max.compaction.lag.ms': spec.maxCompactionLagMs,
        'delete.retention.ms': spec.deleteRetentionMs,
      }
    : { 'retention.ms': spec.retentionMs }),
  'max.message.bytes': spec.maxMessageBytes,
  'message.timestamp.type': 'CreateTime',
});

function channelOf(spec: TopicSpec, { title, description, key, messages }: Channel): object {
  return {
    address: spec.name,
    title,
    description: `${description}\n\nKey: ${key} Partition: that of the cluster's name, as the default partitioner of Kafka's Java client would choose it for that name as the key; so a cluster is one ordered stream, in the same partition of every topic.`,
    messages: Object.fromEntries(
      Object.keys(messages).map((name) => [name, { $ref: `#/components/messages/${name}` }]),
    ),
    bindings: {
      kafka: {
        topic: spec.name,
        partitions: spec.partitions,
        topicConfiguration: configurationOf(spec),
        bindingVersion: '0.5.0',
      },
    },
  };
}

/** The topics as others meet them: AsyncAPI 3.0.0, beside the schemas in `contracts`. */
export function asyncApiDocument(version: string): object {
  const channels = TOPICS.map((spec) => ({ spec, channel: CHANNELS[spec.name]! }));
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'ovn-steward',
      version,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      description:
        'The topics of ovn-steward on Apache Kafka. Names, keys, partitions and schemas are a contract: within v1 they only grow. Topics are made when missing and refused when they differ. Where the setting kafka.topicPrefix is another than `steward.`, their names begin with that in its stead; records name the topics as here.',
    },
    defaultContentType: 'application/json',
    channels: Object.fromEntries(
      channels.map(({ spec, channel }) => [spec.name, channelOf(spec, channel)]),
    ),
    operations: Object.fromEntries(
      channels.map(({ spec: { name }, channel }) => [
        `send ${name}`.replaceAll(/[ .]/g, '-'),
        { action: 'send', channel: { $ref: `#/channels/${name}` }, title: channel.title },
      ]),
    ),
    components: {
      messages: Object.fromEntries(
        channels.flatMap(({ channel }) =>
          Object.entries(channel.messages).map(([name, message]) => [
            name,
            messageOf(channel.key, message),
          ]),
        ),
      ),
    },
  };
}
