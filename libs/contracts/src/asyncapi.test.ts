import { schemas } from '@asyncapi/specs';
import Ajv from 'ajv';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asyncApiDocument } from './asyncapi';
import { changeKey, type Change } from './changes/change';
import { TOPICS } from '@ovn-steward/shared/log/topics';

const CONTRACTS = join(__dirname, '../../../contracts');

interface Channel {
  readonly address: string;
  readonly description: string;
  readonly messages: Record<string, { $ref: string }>;
  readonly bindings: {
    kafka: { topic: string; partitions: number; topicConfiguration: Record<string, unknown> };
  };
}
interface Document {
  readonly channels: Record<string, Channel>;
  readonly operations: Record<string, { channel: { $ref: string } }>;
  readonly components: { messages: Record<string, { payload: { schema?: { $ref: string } } }> };
}
const document = asyncApiDocument('1.2.3') as Document;

/** What a JSON pointer of the document names. */
const at = (ref: string): unknown =>
  ref
    .slice(2)
    .split('/')
    .reduce<unknown>(
      (value, name) => (value as Record<string, unknown> | undefined)?.[name],
      document,
    );

describe('the AsyncAPI document', () => {
  it('is one, by the schema of AsyncAPI 3.0.0', () => {
    const valid = new Ajv({
      strict: false,
      meta: false,
      validateSchema: false,
      validateFormats: false,
    }).compile(schemas['3.0.0'] as object);
    expect([valid(document), valid.errors]).toEqual([true, null]);
    expect(valid({ ...document, channels: { 'steward.changes.v1': { addres: 'x' } } })).toBe(false);
  });

  it('is the committed one; after a change run `npm run generate`', () => {
    const committed = JSON.parse(readFileSync(join(CONTRACTS, 'asyncapi.json'), 'utf8')) as {
      info: { version: string };
    };
    expect(committed).toEqual(asyncApiDocument(committed.info.version));
  });

  it('has every topic as it is made, and no other', () => {
    expect(Object.keys(document.channels)).toEqual(TOPICS.map(({ name }) => name));
    for (const spec of TOPICS) {
      const {
        address,
        bindings: { kafka },
      } = document.channels[spec.name]!;
      expect([address, kafka.topic, kafka.partitions]).toEqual([
        spec.name,
        spec.name,
        spec.partitions,
      ]);
      const limits =
        spec.cleanup === 'compact'
          ? [spec.minCompactionLagMs, spec.maxCompactionLagMs, spec.deleteRetentionMs]
          : [spec.retentionMs];
      expect(Object.values(kafka.topicConfiguration)).toEqual([
        [spec.cleanup],
        ...limits,
        spec.maxMessageBytes,
        'CreateTime',
      ]);
    }
  });

  it('points at what is there', () => {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map((it) => it[1]!);
    expect(refs.filter((it) => it.startsWith('#') && at(it) === undefined)).toEqual([]);
    const files = refs.filter((it) => !it.startsWith('#'));
    expect(files.filter((it) => !existsSync(join(CONTRACTS, it)))).toEqual([]);
    expect(files.sort()).toEqual(
      ['action', 'change', 'control', 'dead-letter', 'finding-event', 'status'].map(
        (it) => `./schemas/${it}.v1.schema.json`,
      ),
    );
  });

  it('says of every channel what is sent there', () => {
    const sent = Object.values(document.operations).map(({ channel }) =>
      channel.$ref.replace('#/channels/', ''),
    );
    expect(sent).toEqual(TOPICS.map(({ name }) => name));
    expect(
      Object.values(document.channels).filter(({ messages }) => Object.keys(messages).length === 0),
    ).toEqual([]);
  });

  it('names keys as they are built', () => {
    const sample = (name: string): Change =>
      JSON.parse(
        readFileSync(join(CONTRACTS, 'examples', `change.v1.${name}.json`), 'utf8'),
      ) as Change;
    const { cluster, source, kind, uid } = sample('put-row') as Extract<Change, { type: 'put' }>;
    expect(changeKey(sample('put-row'))).toBe(`${cluster}/${source}/${kind}/${uid}`);
    const beat = sample('heartbeat');
    expect(changeKey(beat)).toBe(`${beat.cluster}/${beat.source}/_heartbeat/${beat.stream}`);
    expect(document.channels['steward.changes.v1']!.description).toContain(
      '`<cluster>/<source>/<kind>/<uid>`',
    );
    expect(document.channels['steward.changes.v1']!.description).toContain(
      '`<cluster>/<source>/_<type>/<stream>`',
    );
  });
});
