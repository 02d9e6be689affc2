import Ajv2020 from 'ajv/dist/2020';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../findings/finding';
import type { Notification } from '../notifications/notification';
import { findingAsOcsf, notificationAsOcsf } from './ocsf-detection-finding';

const read = (path: string): unknown => JSON.parse(readFileSync(join(__dirname, path), 'utf8'));
const isDetection = new Ajv2020({ strict: false, allErrors: true }).compile(
  read('testing/ocsf-detection-finding-1.5.0.json') as object,
);
const EXAMPLES = '../../../../contracts/examples';
const samples = <T>(document: string): T[] =>
  readdirSync(join(__dirname, EXAMPLES))
    .filter((it) => it.startsWith(`${document}.v1.`))
    .map((it) => read(`${EXAMPLES}/${it}`) as T);
const FINDINGS = samples<Finding>('finding');
const [NOTIFICATION] = samples<Notification>('notification') as [Notification];

const errorsOf = (event: object): unknown => (isDetection(event) ? [] : isDetection.errors);

test.each(FINDINGS.map((it) => [it.state, it] as const))(
  'a finding that is %s is a Detection Finding by the schema of OCSF',
  (_state, finding) => {
    expect(errorsOf(findingAsOcsf(finding, '1.2.3'))).toEqual([]);
  },
);

test('so are words of later versions, hostile names, and things without a name', () => {
  const [first] = FINDINGS as [Finding];
  const later = {
    ...first,
    severity: 'fatal',
    state: 'muted',
    class: 'novelty',
    summary: 'a\u0007b',
    subject: { ...first.subject, name: '' },
  } as unknown as Finding;
  const event = findingAsOcsf(later);
  expect(errorsOf(event)).toEqual([]);
  expect(event).toMatchObject({
    severity_id: 99,
    status_id: 99,
    status: 'muted',
    message: 'a\\u0007b',
  });
});

test('the schema refuses what is no Detection Finding', () => {
  const event = findingAsOcsf(FINDINGS[0]!);
  expect(isDetection({ ...event, severity_id: 'high' })).toBe(false);
  expect(isDetection({ ...event, colour: 'red' })).toBe(false);
  expect(isDetection({ ...event, finding_info: {} })).toBe(false);
});

test('the first revision creates, a later one updates, a resolved one closes', () => {
  const [first] = FINDINGS as [Finding];
  const activity = (more: Partial<Finding>): unknown =>
    (findingAsOcsf({ ...first, state: 'confirmed', ...more }) as { activity_id: number })
      .activity_id;
  expect([
    activity({ revision: 1 }),
    activity({ revision: 2 }),
    activity({ revision: 3, state: 'resolved' }),
  ]).toEqual([1, 2, 3]);
});

test.each(['open', 'resolved'] as const)(
  'a notification that is %s is one detection of its whole group',
  (state) => {
    const findings = state === 'open' ? NOTIFICATION.findings : [];
    const event = notificationAsOcsf({ ...NOTIFICATION, state, findings }, '1.2.3');
    expect(errorsOf(event)).toEqual([]);
    expect(event).toMatchObject({
      activity_id: state === 'open' ? expect.any(Number) : 3,
      status: state,
      finding_info: { uid: NOTIFICATION.group },
      resources: findings.map((it) => expect.objectContaining({ uid: it.subject.uid }) as object),
    });
  },
);
