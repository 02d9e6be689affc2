import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NewRecord } from '@ovn-steward/shared/log/log';
import type { ActionRecord } from './actions/action';
import { encodeAction } from './actions/action-codec';
import { asyncApiDocument } from './asyncapi';
import type { Change } from './changes/change';
import { encodeChange, encodeForgottenChange } from './changes/change-codec';
import type { Control } from './control/control';
import { encodeControl, encodeForgottenControl } from './control/control-codec';
import type { DeadLetter } from './dead-letters/dead-letter';
import { encodeLetter, encodeReplayed } from './dead-letters/dead-letter-codec';
import type { Finding } from './findings/finding';
import { encodeFinding, encodeForgotten } from './findings/finding-codec';
import type { SourceStatus } from './status/source-status';
import { encodeStatus } from './status/status-codec';

interface Described {
  readonly components: {
    readonly messages: Readonly<
      Record<
        string,
        {
          readonly headers: {
            readonly properties: Readonly<Record<string, unknown>>;
            readonly required?: readonly string[];
          };
        }
      >
    >;
  };
}
const { messages } = (asyncApiDocument('1.2.3') as Described).components;

const EXAMPLES = join(__dirname, '../../../contracts/examples');
const samplesOf = <T>(contract: string): T[] =>
  readdirSync(EXAMPLES)
    .filter((it) => it.startsWith(`${contract}.v1.`))
    .map((it) => JSON.parse(readFileSync(join(EXAMPLES, it), 'utf8')) as T);

type Written = Pick<NewRecord, 'headers'>;
const AT = new Date('2026-03-02T09:14:07.204Z');
const ORIGIN = { analyzer: 'a', changes: '3/1-2' };
const changes = samplesOf<Change>('change').flatMap((it) => encodeChange(it));
const controls = samplesOf<Control>('control');
const letters = samplesOf<DeadLetter>('dead-letter');

/** Every message of every topic, as the codecs write it. */
const WRITTEN: Readonly<Record<string, readonly Written[]>> = {
  change: changes.filter(({ value }) => value !== null),
  changeTombstone: [
    ...changes.filter(({ value }) => value === null),
    encodeForgottenChange('k', AT.getTime()),
  ],
  finding: samplesOf<Finding>('finding').map((it) => encodeFinding(it, ORIGIN)),
  findingTombstone: [encodeForgotten('x', ORIGIN)],
  sourceStatus: samplesOf<SourceStatus>('status').map((it) => encodeStatus(it, AT)),
  sourceStatusTombstone: [{ headers: {} }],
  control: controls.map((it) => encodeControl(it, AT.getTime())),
  controlTombstone: controls.map((it) => encodeForgottenControl(it, AT.getTime())),
  action: samplesOf<ActionRecord>('action').map((it) => encodeAction(it, AT.getTime())),
  actionTombstone: [{ headers: {} }],
  deadLetter: letters.map((it) => encodeLetter(it, AT)),
  replayed: letters.map((it) => encodeReplayed(it, AT)),
};

test('the headers of every message are checked', () => {
  expect(Object.keys(WRITTEN).sort()).toEqual(Object.keys(messages).sort());
});

test.each(Object.entries(WRITTEN))(
  'a record of %s has the headers it is said to have, and no other',
  (name, written) => {
    const { properties, required = [] } = messages[name]!.headers;
    expect(written.length).toBeGreaterThan(0);
    for (const { headers = {} } of written) {
      expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(headers)));
      expect(Object.keys(headers)).toEqual(expect.arrayContaining([...required]));
    }
  },
);
