import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Action } from '@ovn-steward/contracts/actions/action';
import { AuditDocument } from '@ovn-steward/contracts/audit';
import { Finding } from '@ovn-steward/contracts/findings/finding';
import { actionsTable, actionText } from './actions-text';
import { auditTable } from './audit-table';
import { deadLettersText } from './dead-letters-text';
import { explanation } from './explanation';
import { removalText } from './guard-remove-text';
import { waitingText } from './guard-status-text';
import { heardLines, unheardLines } from './heard-text';
import { holdsText } from './holds-text';
import { decidedText } from './outcome-text';

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
    planted(sample).flatMap((it) => {
      const parsed = schema.safeParse(it);
      return parsed.success ? [parsed.data as T] : [];
    }),
  );
const ANY = { safeParse: (data: unknown) => ({ success: true, data }) };
const AT = '2026-03-02T10:00:00.000Z';

const STATES = ['claimed', 'done', 'failed', 'terminating', 'undone', 'proposed', 'refused'];
const ACTIONS = allowed<Action>(
  STATES.map((it) => example(`action.v1.${it}`)),
  Action,
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
};

test.each(Object.entries(PRINTED))('%s never prints foreign text raw', (_, prints) => {
  expect(prints.length).toBeGreaterThan(0);
  for (const print of prints) expect(print()).not.toMatch(/^INJECTED|\u001b\]|\u0007/m);
});

test('the places that are tried are those of all records', () => {
  expect(ACTIONS.length).toBeGreaterThan(100);
  expect(FINDINGS.length).toBeGreaterThan(40);
});
