import { newDecision } from '../inputs/new-decision';
import type { Command } from 'commander';
import { commonIdentity } from '@ovn-steward/executor';
import { Failure } from '@ovn-steward/shared/errors';
import {
  type ActionRecord,
  isGivenUp,
  isActionTerminating,
} from '@ovn-steward/contracts/actions/action';
import type { Control } from '@ovn-steward/contracts/control/control';
import { describe } from '@ovn-steward/contracts/identity/reference';
import { safeText } from '@ovn-steward/shared/safe-text';
import { takeLog } from '../apply/act-here';
import { undoHere } from '../apply/undo-here';
import { EXIT } from '../process/exit-codes';
import { actionRecords } from '../inputs/action-records';
import {
  type Channel,
  channelOf,
  type DecisionOptions,
  publishDecisions,
  withChannel,
  withServer,
} from '../inputs/decisions';
import { withInputs } from '../inputs/options';
import { pickById } from '../inputs/pick-by-id';
import { type TakeOverOptions, withSystems, withTakeOver } from '../inputs/systems';
import { interrupted } from '../process/interrupted';
import { decidedText } from '../output/outcome-text';
import { reportDecisions } from '../output/decision-text';
import { reportOption } from '../inputs/report-option';
import { indentedJson } from '@ovn-steward/shared/indented-json';
import { withOptions } from '../inputs/with-options';

interface UndoOptions extends DecisionOptions, TakeOverOptions {
  readonly withdraw?: boolean;
}

/** `steward undo`: has what an action, or every action of a plan, removed put back. */
export function undoCommand(program: Command, done: (code: number) => void): void {
  withOptions(
    program
      .command('undo')
      .argument('<ids...>', 'ids of actions or plans, or their beginnings')
      .description(
        'put back what was removed: the running executor does it or, without one and if the systems are named, this process',
      ),
    withInputs,
    withChannel,
    withServer,
    withTakeOver,
  )
    .option(
      '--by <name>',
      'who decides; recorded. You, as user@host, by default; with --server whom the token names',
    )
    .addOption(reportOption())
    .option('--withdraw', 'withdraw the request, if nothing was done yet')
    .action(async (ids: readonly string[], options: UndoOptions) => {
      const channel = await channelOf(options);
      const chosen = chosenOf(ids, await undoable(channel));
      const controls = chosen.map((it) =>
        options.withdraw ? withdrawalOf(it, channel) : requestOf(it, channel),
      );
      const wanted = chosen.flatMap((it) => it.done.map(({ id }) => id));
      const here = options.withdraw
        ? undefined
        : await putBackHere(channel, options, controls, wanted);
      if (here !== undefined) return done(printPutBack(here, options));
      const receipt = await publishDecisions(channel, controls);
      const lines = chosen.flatMap(options.withdraw ? withdrawnLines : requestedLines);
      reportDecisions({ lines, controls, receipt }, channel, options.output);
      done(EXIT.nothingFound);
    });
}

/** What the ids, or their beginnings, name; each once. */
const chosenOf = (ids: readonly string[], known: readonly Undoable[]): readonly Undoable[] => {
  const picked = ids.map((id) => pickById(id, known, 'action or plan', 'steward actions'));
  return [...new Map(picked.map((it) => [it.id, it])).values()];
};

const withdrawalOf = ({ id }: Undoable, channel: Channel): Control => ({
  type: 'withdraw',
  ...newDecision(channel),
  of: `undo/${id}`,
});

/** @throws Failure `undo-impossible`. */
function requestOf({ id, is, done, why }: Undoable, channel: Channel): Control {
  if (done.length === 0)
    throw new Failure(
      'undo-impossible',
      `There is nothing to put back of ${is} ${id.slice(0, 12)}: ${why}. Nothing was asked for.`,
    );
  return { type: 'undo', ...newDecision(channel), ...commonIdentity(done), of: id };
}

const withdrawnLines = ({ is, id }: Undoable): string[] => [
  `No longer wanted back: what ${is} ${id.slice(0, 12)} removed.`,
];

const requestedLines = ({ is, id, done }: Undoable): string[] => [
  `To be put back, of ${is} ${id.slice(0, 12)}:`,
  ...done.slice(0, SHOWN).map((one) => `  ${describe(one.target)}`),
  ...more(done),
];

/** @returns the exit code. */
function printPutBack(actions: readonly ActionRecord[], { output }: UndoOptions): number {
  process.stdout.write(
    output === 'json'
      ? indentedJson(actions)
      : actions.map((it) => `${decidedText(it)}\n`).join(''),
  );
  return actions.every(({ state }) => state === 'undone') ? EXIT.nothingFound : EXIT.findings;
}

/**
 * Where no other process has the log open and the systems are named. Returns undefined otherwise:
 * then the running executor reads the requests.
 */
async function putBackHere(
  channel: Channel,
  options: UndoOptions,
  requests: readonly Control[],
  ids: readonly string[],
): Promise<readonly ActionRecord[] | undefined> {
  if (
    channel.server !== undefined ||
    channel.stateDir === undefined ||
    (options.ovnNb ?? channel.config.ovnNb.remote) === undefined
  )
    return undefined;
  const log = takeLog(channel.stateDir);
  if (log === undefined) return undefined;
  const stop = interrupted();
  const report = (source: string, message: string): void =>
    void process.stderr.write(`${source}: ${safeText(message, 500)}\n`);
  try {
    return await withSystems(options, channel.config, (systems) =>
      undoHere(log, channel.stateDir!, requests, ids, {
        channel,
        systems,
        signal: stop.signal,
        onAction: () => undefined,
        report,
      }),
    );
  } finally {
    stop.end();
  }
}

const SHOWN = 20;
const more = ({ length }: readonly unknown[]): string[] =>
  length > SHOWN ? [`  and ${length - SHOWN} more`] : [];

interface Undoable {
  readonly id: string;
  readonly is: 'action' | 'plan';
  /** What of it was done and not undone. */
  readonly done: readonly ActionRecord[];
  /** Where that is nothing. */
  readonly why: string;
}

/**
 * What is deleted, or will be. Kubernetes cannot revoke a deletion, so the object is created again
 * once it is deleted. Of an action that was given up the executor checks whether its object is
 * absent.
 */
const canBeUndone = (action: ActionRecord): boolean =>
  action.state === 'done' || isActionTerminating(action) || isGivenUp(action);

/** Every action and every plan that the log knows. */
async function undoable(channel: Channel): Promise<readonly Undoable[]> {
  const records = await actionRecords(channel);
  try {
    await records.catchUp();
    const plans = new Map<string, ActionRecord[]>();
    const actions = [...records.all()];
    for (const action of actions)
      if (action.plan !== null) plans.set(action.plan, [...(plans.get(action.plan) ?? []), action]);
    return [
      ...actions.map((action): Undoable => ({
        id: action.id,
        is: 'action',
        done: canBeUndone(action) ? [action] : [],
        why: `it is ${action.state} (${action.reason})`,
      })),
      ...[...plans].map(([id, of]): Undoable => ({
        id,
        is: 'plan',
        done: of.filter(canBeUndone).reverse(),
        why: 'none of its actions is done, or they were put back already',
      })),
    ];
  } finally {
    await records.close();
  }
}
