import {
  type ActionRecord,
  type ActionState,
  isGivenUp,
  isActionTerminating,
} from '@ovn-steward/contracts/actions/action';
import { factText } from '@ovn-steward/contracts/findings/fact-text';
import { describe, type Reference } from '@ovn-steward/contracts/identity/reference';
import type { StoredLink, StoredRow, Undo } from '@ovn-steward/contracts/actions/undo';
import type { Unsettled } from '@ovn-steward/contracts/actions/unsettled';
import { counted } from '@ovn-steward/shared/counted';
import { safeText } from '@ovn-steward/shared/safe-text';
import { colours as pc } from './colours';

const COLOUR: Readonly<Record<ActionState, (text: string) => string>> = {
  observed: pc.dim,
  proposed: pc.cyan,
  deferred: pc.yellow,
  claimed: pc.magenta,
  terminating: pc.magenta,
  done: pc.green,
  refused: pc.yellow,
  failed: pc.red,
  undone: pc.blue,
};

/** As wide as the longest state. */
const STATE_WIDTH = 11;
const SHORT_ID = 12;

/** The colour of an action's state; a state of a later version has none. */
export const colourOf = (state: ActionState): ((text: string) => string) =>
  Object.hasOwn(COLOUR, state) ? COLOUR[state] : (text) => text;

/**
 * Actions for a person, one a line, the oldest first: when, in which state, which id, what on what,
 * why.
 */
export function actionsTable(
  actions: readonly ActionRecord[],
  { fullIds }: { readonly fullIds: boolean },
): string {
  if (actions.length === 0) return 'No actions.\n';
  const lines = actions.map(
    (it) =>
      `${safeText(it.at, 40)} ${colourOf(it.state)(safeText(it.state, 20).padEnd(STATE_WIDTH))} ${pc.dim(safeText(fullIds ? it.id : it.id.slice(0, SHORT_ID)))} ${safeText(it.action)} ${safeText(targetText(it.target))}: ${safeText(it.reason)} (${safeText(it.code)})${it.unsettled === undefined ? '' : pc.red(`\n  ${unsettledText(it.unsettled)}`)}`,
  );
  const unsettled = actions.filter((it) => it.unsettled !== undefined).length;
  const counts = new Map<string, number>();
  for (const { state } of actions) counts.set(state, (counts.get(state) ?? 0) + 1);
  return `${lines.join('\n')}\n${counted(actions.length, 'action')}: ${[...counts].map(([state, count]) => `${count} ${safeText(state, 20)}`).join(', ')}. ${unsettled === 0 ? '' : `${unsettled} cannot be settled; to end one as failed: steward give-up <id> --reason <text>. `}Next: steward actions <id> shows all about one.\n`;
}

/** Everything about one action, for a person; of what undoes it, what it would put back. */
export function actionText(action: ActionRecord): string {
  const ended = action.endedAt !== null;
  return [
    `${pc.bold(safeText(`${action.action} on ${targetText(action.target)}`))}`,
    `  ${colourOf(action.state)(safeText(action.state, 20))} (${safeText(action.code)}): ${safeText(action.reason, 1000)}`,
    `  ${safeText(action.id)}, revision ${action.revision}, of cluster ${safeText(action.cluster)}`,
    '',
    pc.bold('When'),
    `  said at ${safeText(action.at, 40)} by ${safeText(action.executor)}`,
    ...(action.claimedAt === null ? [] : [`  claimed at ${safeText(action.claimedAt, 40)}`]),
    ...(ended ? [`  ended at ${safeText(action.endedAt ?? '', 40)}`] : []),
    ...(action.unsettled === undefined
      ? []
      : [
          `  ${pc.red(unsettledText(action.unsettled))}`,
          `  To end it as failed: steward give-up ${safeText(action.id.slice(0, SHORT_ID))} --reason <text>`,
        ]),
    '',
    pc.bold('Why'),
    `  rule ${safeText(action.rule)} in mode ${safeText(action.mode)}, finding ${safeText(action.finding.id)} in revision ${action.finding.revision}`,
    ...(action.plan === null ? [] : [`  plan ${safeText(action.plan)}`]),
    ...(action.approvedBy === null ? [] : [`  approved by ${safeText(action.approvedBy)}`]),
    ...action.proof.map(
      (fact) => `  ${safeText(factText(fact) ?? 'a fact this version does not know', 500)}`,
    ),
    '',
    pc.bold('On what'),
    `  ${safeText(targetText(action.target))} (${safeText(action.target.source)}, ${safeText(action.target.uid)})`,
    `  in ${action.scope.vpc === null ? 'no VPC' : `VPC ${safeText(action.scope.vpc)}`}, ${action.scope.subnet === null ? 'no subnet' : `subnet ${safeText(action.scope.subnet)}`}`,
    `  of ${safeText(action.owner.owner)} (${safeText(action.owner.verdict)}, confidence ${action.owner.confidence} of 3)`,
    '',
    pc.bold('Undoing it'),
    ...undoText(action).map((line) => `  ${safeText(line, 500)}`),
    '',
  ].join('\n');
}

/**
 * When it is tried next is said as of the record: later tries are recorded seldom, and come every
 * half minute at the latest.
 */
const unsettledText = ({ since, failures, why, nextTryAt }: Unsettled): string =>
  `not settled since ${safeText(since, 40)}, tried ${counted(failures, 'time')} or more: ${safeText(why, 300)}; next try at ${safeText(nextTryAt, 40)}, then every 30 s`;

const targetText = (target: Reference): string =>
  `${describe(target)}${target.part ? ` ${target.part.column} ${target.part.key}` : ''}`;

function undoText({ state, code, undo, id, claimedAt }: ActionRecord): string[] {
  if (undo === null)
    return [state === 'done' ? 'nothing is stored that would undo it' : 'nothing was removed'];
  const would = restored(undo);
  if (isActionTerminating({ state, code }))
    return [
      ...would,
      `steward undo ${id.slice(0, SHORT_ID)} has it made again when it is gone: Kubernetes takes no deletion back`,
    ];
  if (isGivenUp({ state, code, undo, claimedAt }))
    return [
      'it is not known whether it was removed; if it was, this would be put back:',
      ...would,
      `steward undo ${id.slice(0, SHORT_ID)} has it put back`,
    ];
  if (state === 'done') return [...would, `steward undo ${id.slice(0, SHORT_ID)} has it put back`];
  return state === 'undone'
    ? ['it was put back:', ...would]
    : ['if it is removed, this would be put back:', ...would];
}

/** What would be there again. */
function restored(undo: Undo): string[] {
  switch (undo.of) {
    case 'rows':
      return [...undo.rows.map(rowText), ...undo.links.map(linkText)];
    case 'entry':
      return [
        `entry ${undo.key}${undo.value === null ? '' : ` = ${undo.value}`} of ${undo.column} in ${describe({ kind: undo.table, name: undo.name, uid: undo.uuid })}`,
      ];
    case 'object':
      return [`${undo.kind} ${nameIn(undo.manifest)}`];
    case 'field':
      return [
        `${undo.path} of ${describe({ kind: undo.kind, ...(undo.namespace === undefined ? {} : { namespace: undo.namespace }), name: undo.name, uid: undo.uid })}`,
      ];
    default:
      return ['in a way this version does not know'];
  }
}

const rowText = ({ table, name, uuid, columns }: StoredRow): string =>
  `${describe({ kind: table, name, uid: uuid })} with ${Object.keys(columns).join(', ') || 'no columns'}`;
const linkText = ({ table, name, uuid, column, strength }: StoredLink): string =>
  `${strength === 'strong' ? 'held' : 'referred to'} by ${describe({ kind: table, name, uid: uuid })} in its ${column}`;

function nameIn({ metadata }: Readonly<Record<string, unknown>>): string {
  const { namespace, name } = (
    typeof metadata === 'object' && metadata !== null ? metadata : {}
  ) as { namespace?: unknown; name?: unknown };
  return [namespace, name].filter((it) => typeof it === 'string').join('/');
}
