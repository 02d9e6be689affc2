import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { AuditDocument } from '@ovn-steward/contracts/audit';
import { Finding } from '@ovn-steward/contracts/findings/finding';
import { actionsTable, actionText } from './actions-text';
import { doctorText } from '../doctor/doctor-text';
import { subnetsTable } from '../subnets/subnets-table';
import { auditTable } from './audit-table';
import { deadLettersText } from './dead-letters-text';
import { explanation } from './explanation';
import { removalText } from './guard-remove-text';
import { waitingText } from './guard-status-text';
import { heardLines, unheardLines } from './heard-text';
import { holdsText } from './holds-text';
import { timelineText } from './timeline-text';
import { diffText } from '../diff/diff-text';
import { compareAudits } from '../diff/compare';
import { htmlReport } from '../report/html-report';
import { markdownReport } from '../report/markdown-report';
import { type Report, reportOf } from '../report/report';
import { sarifReport } from '../report/sarif-report';
import { textReport } from '../report/text-report';
import { decidedText } from './outcome-text';
import { planSummary } from './plan-summary';
import { healText } from './heal-text';
import { restoreText } from './restore-text';
import { endingText, executorText, findingText } from './run-text';

/** A line end, the title of a terminal, and a line that would pass for ours. */
const HOSTILE = 'x\nINJECTED\u001b]0;title\u0007';

const example = (name: string): unknown =>
  JSON.parse(
    readFileSync(join(__dirname, '../../../../contracts/examples', `${name}.json`), 'utf8'),
  );
/** The same with the hostile text in one place, for each place where a text stands. */
function planted(value: unknown): readonly unknown[] {
  if (typeof value === 'string') return [HOSTILE];
  if (Array.isArray(value))
    return value.flatMap((it: unknown, index) => planted(it).map((one) => value.with(index, one)));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, it]) =>
    planted(it).map((one) => ({ ...value, [key]: one })),
  );
}
/** What a record may say: one that its schema refuses is never shown. */
const allowed = <T>(
  samples: readonly unknown[],
  schema: { safeParse(it: unknown): { success: boolean; data?: unknown } },
): readonly T[] =>
  samples.flatMap((sample) =>
    planted(sample).flatMap((hostile) => {
      const parsed = schema.safeParse(hostile);
      return parsed.success ? [parsed.data as T] : [];
    }),
  );
const ANY = { safeParse: (data: unknown) => ({ success: true, data }) };
const AT = '2026-03-02T10:00:00.000Z';

const STATES = ['claimed', 'done', 'failed', 'terminating', 'undone', 'proposed', 'refused'];
const ACTIONS = allowed<ActionRecord>(
  STATES.map((it) => example(`action.v1.${it}`)),
  ActionRecord,
);
const FINDINGS = allowed<Finding>(
  ['suspected', 'confirmed', 'resolved'].map((it) => example(`finding.v1.${it}`)),
  Finding,
);
const LETTER = {
  ...(example('dead-letter.v1.poison') as object),
  beginning: 'a',
  bytes: 3,
  replayedAt: AT,
  refusal: 'no',
};
const HOLD = {
  scope: { rule: 'r', vpc: 'v', subnet: 's' },
  except: ['undo'],
  reason: 'why',
  by: 'anna',
  since: AT,
  until: AT,
  heardBy: ['one'],
};
const HEARD = {
  all: false,
  counts: true,
  heard: [{ executor: 'one', at: AT }],
  unheard: [
    { executor: 'two', at: AT, replaced: false },
    { executor: 'three', at: AT, replaced: true },
  ],
};
const WAITING = { name: 'a', since: AT, subnets: ['s'], finalizers: ['f'] };
const NOW = new Date(AT);
const PLAN = (example('control.v1.plan') as { plan: object }).plan;
const SUBNET = {
  name: 'a',
  vpc: 'v',
  cidr: '10.0.0.0/24',
  gateway: '10.0.0.1',
  activeGateway: 'n',
  ready: true,
  validated: true,
  terminatingSince: AT,
  namespaces: { named: ['a', 'c'], annotated: ['b'] },
  addresses: [],
  vlan: { name: 'vlan', presence: 'absent' },
  providerNetwork: { name: 'net', presence: 'absent' },
  exhaustion: { is: 'full' },
  findings: [],
};
const ROW = {
  is: 'changed',
  table: 'T',
  uuid: 'u',
  name: 'n',
  owner: 'o',
  ownerBefore: 'p',
  kept: false,
  columns: ['c'],
};
const REMADE = { table: 'T', name: 'n', owner: 'o', was: 'w', is: 'i' };
const LEFT_OUT = { table: 'T', uuid: 'u', says: 's' };
const restored = (changed: object): string =>
  restoreText({
    backup: { path: 'file', takenAt: NOW, identity: 'cid:1' },
    difference: { rows: [ROW], foreign: new Set<string>() },
    remade: [REMADE],
    plan: { inserts: [], updates: [], removals: [], leftOut: [LEFT_OUT], losses: [] },
    selection: { removeNew: true },
    ...changed,
  } as never);
const POISONED = {
  stream: HOSTILE,
  source: 'ovn-nb',
  keys: [{ key: HOSTILE, offset: 1n, why: HOSTILE }],
} as never;
const deletion = (since: string): string => {
  const entity = { kind: 'Subnet', name: HOSTILE, uid: HOSTILE, object: {} };
  const root = {
    entity,
    state: 'terminating',
    since,
    waits: [{ because: HOSTILE, of: [], more: 0 }],
    unknown: HOSTILE,
  };
  const steps = [{ who: 'person', what: HOSTILE, run: HOSTILE }];
  return doctorText(
    {
      repairs: [{ root, steps, after: [], frees: [entity] }],
      controller: 'there',
      well: [HOSTILE],
      missing: [],
      unknown: [HOSTILE],
    } as never,
    NOW,
  );
};

const AUDITS = allowed<AuditDocument>([example('audit.v1.findings')], AuditDocument);
const OUTLOOK = { ...SUBNET, findings: [], exhaustion: { is: 'full' } };
const REPORTS: readonly Report[] = [
  ...AUDITS.map((document) => ({ document, subnets: [], doubt: HOSTILE })),
  ...allowed<never>([OUTLOOK], ANY).map((subnet: object) => ({
    document: {
      ...(example('audit.v1.findings') as AuditDocument),
      findings: FINDINGS.slice(0, 1).map((finding) => ({
        ...finding,
        class: 'leak' as const,
        scope: { subnet: (subnet as { name: string }).name },
      })),
    },
    subnets: [{ ...subnet, exhaustion: { is: 'full' } } as never],
    doubt: undefined,
  })),
].map((it) => reportOf({ ...it, subnetsComplete: false, readFrom: 'look' }));
const reports = (form: (report: Report) => Iterable<string>): readonly (() => string)[] =>
  REPORTS.map((it) => () => [...form(it)].join(''));
const ENTRY = { at: AT, lane: 'ovn', name: 'n', what: 'w', position: 'p' } as const;
const differs = (before: AuditDocument, after: AuditDocument): string =>
  [...diffText(compareAudits(before, after))].join('');

/** What is printed, with how many places there are where hostile text can stand. */
const PRINTED: Readonly<Record<string, readonly (() => string)[]>> = {
  'a table of actions': ACTIONS.map((it) => () => actionsTable([it], { fullIds: true })),
  'one action': ACTIONS.map((it) => () => actionText(it)),
  'what became of an action': ACTIONS.map((it) => () => decidedText(it)),
  'an explanation': FINDINGS.map((it) => () => explanation(it, 'about', [])),
  'its history': [() => explanation(FINDINGS[0]!, 'about', [{ at: HOSTILE, what: HOSTILE }])],
  'an audit': allowed<AuditDocument>([example('audit.v1.findings')], AuditDocument).map(
    (it) => () => auditTable(it),
  ),
  'dead letters': allowed<never>([LETTER], ANY).map(
    (it) => () => deadLettersText({ letters: [it], unreadable: [] }),
  ),
  'letters that are none': [
    () =>
      deadLettersText({
        letters: [],
        unreadable: [{ partition: 0, offset: 1n, key: HOSTILE, why: HOSTILE }],
      }),
  ],
  holds: allowed<never>([HOLD], ANY).map((it) => () => holdsText([it], [], HOSTILE)),
  'executors that follow': [
    () => holdsText([], [{ executor: HOSTILE, lastSeen: HOSTILE }], HOSTILE),
  ],
  'who heard': allowed<never>([HEARD], ANY).map(
    (it) => () => `${heardLines(it)}${unheardLines(it, HOSTILE, 3).join('\n')}`,
  ),
  'a deletion that waits': allowed<never>([WAITING], ANY).map((it) => () => waitingText(it, NOW)),
  'what would be taken away': [
    () => removalText({ policies: [], guarded: [HOSTILE], waiting: [], held: [HOSTILE] }, NOW),
  ],
  'a plan': allowed<never>([PLAN], ANY).map(
    (it) => () => planSummary(it, { doubt: HOSTILE, file: HOSTILE }),
  ),
  'a subnet': allowed<Record<string, unknown>>([SUBNET], ANY).map(
    (it) => () => subnetsTable([{ ...it, exhaustion: { is: 'full' } } as never]),
  ),
  'what a restore would do': [
    ...allowed<never>([ROW], ANY)
      .filter(({ is }: { is: string }) => is !== HOSTILE)
      .map((it) => () => restored({ difference: { rows: [it], foreign: new Set([HOSTILE]) } })),
    ...allowed<never>([LEFT_OUT], ANY).map(
      (it) => () =>
        restored({ plan: { inserts: [], updates: [], removals: [], leftOut: [it], losses: [it] } }),
    ),
    ...allowed<never>([REMADE], ANY).map((it) => () => restored({ remade: [it] })),
    () => restored({ backup: { path: HOSTILE, takenAt: NOW, identity: HOSTILE } }),
  ],
  'what the executor of a run does': [
    ...ACTIONS.map((action) => ({ type: 'action', action })),
    { type: 'guarded', did: 'add', vpc: HOSTILE },
    { type: 'backup-taken', path: HOSTILE },
  ].map((it) => () => executorText(it as never)?.text ?? ''),
  'the findings of a run': FINDINGS.map((it) => () => findingText(it)),
  'the end of a run': [() => endingText(FINDINGS, 0, 1, HOSTILE)],
  'what is healed': [true, false].flatMap((written) => [
    () => healText(HOSTILE, [], written),
    () => healText('demo', [POISONED], written),
  ]),
  'a report as text': reports(textReport),
  'a report as Markdown': reports(markdownReport),
  'a report as a page': reports(htmlReport),
  'a report as SARIF': reports(sarifReport),
  'a comparison of audits': AUDITS.flatMap((audit) => [
    () => differs({ ...audit, findings: [] }, audit),
    () => differs(audit, { ...audit, findings: [] }),
  ]),
  'a line of time': [
    ...allowed<never>([ENTRY], ANY).map(
      (it) => () => timelineText([{ ...(it as object), lane: 'ovn' } as never], 'unknown'),
    ),
    () => timelineText([], HOSTILE),
  ],
  'what a deletion waits for': [() => deletion(HOSTILE)],
};

test.each(Object.entries(PRINTED))('%s never prints foreign text raw', (_, prints) => {
  expect(prints.length).toBeGreaterThan(0);
  for (const print of prints) expect(print()).not.toMatch(/^INJECTED|\u001b\]|\u0007/m);
});

test('the places that are tried are those of all records', () => {
  expect(ACTIONS.length).toBeGreaterThan(100);
  expect(FINDINGS.length).toBeGreaterThan(40);
});
