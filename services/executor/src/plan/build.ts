import { compareValues } from '@ovn-steward/shared/compare';
import { Failure } from '@ovn-steward/shared/errors';
import { factText } from '@ovn-steward/contracts/findings/fact-text';
import type { FindingClass } from '@ovn-steward/contracts/findings/finding';
import type { Undo } from '@ovn-steward/contracts/actions/undo';
import { actionKey } from '@ovn-steward/contracts/identity/ids';
import type { Action, Prepared } from '../action-kit/action';
import type { Prover } from '../prove/prover';
import type { Proposal } from '../findings/proposal';
import type { Systems } from '@ovn-steward/systems/systems';
import { collectLeftOut } from './left-out';
import { rowsOfEntry } from './planned-rows';
import { systemsAhead } from './systems-ahead';
import { type Plan, type PlanEntry, sealed } from './plan';
import type { Proven } from '../prove/prove-in-rounds';

/** What the log takes of one decision, and some room: a plan is one. */
const MOST_BYTES = 7 * 1_048_576;
const FULL = 'the plan is as large as a plan can be: make another when this one is carried out';

export interface BuildPlanOptions {
  /**
   * What might be done. The proposals only say what to read: each is proven on the living systems.
   * Those confirmed are ripe at once.
   */
  readonly proposals: readonly Proposal[];
  /** How long something seen only now has to wait, in milliseconds. */
  readonly graceOf: (of: FindingClass) => number;
  readonly prover: Pick<Prover, 'prove'>;
  readonly systems: Systems;
  readonly actionOf: (id: string) => Action | undefined;
  readonly cluster: string;
  readonly now: () => Date;
  readonly validMs: number;
  /** At most so many entries. */
  readonly limit?: number;
  readonly signal: AbortSignal;
  readonly onProgress?: (checked: number) => void;
}

/**
 * A plan of what is proven now, in the order in which it is to be done: what only something else in
 * it still uses is in it as well, after that. Writes nothing anywhere. What cannot be proven,
 * prepared or read is left out, with the reason.
 * @throws Failure when the systems do not say who they are, or the signal fires.
 */
export async function buildPlan(options: BuildPlanOptions): Promise<Plan> {
  const { systems, cluster, now, validMs, signal, onProgress } = options;
  const created = now();
  const identity = {
    northbound: await systems.northbound.identity(signal),
    kubernetes: await systems.kubernetes.identity(signal),
  };
  const draft = new PlanDraft(options, created);
  for (const [index, proposal] of inOrder(options).entries()) {
    signal.throwIfAborted();
    await draft.examine(proposal);
    onProgress?.(index + 1);
  }
  const { entries, uninstalled } = draft;
  return sealed({
    version: 1,
    cluster,
    identity,
    ...(uninstalled && { uninstalled }),
    createdAt: created.toISOString(),
    expiresAt: new Date(created.getTime() + validMs).toISOString(),
    counts: countsOf(entries),
    entries: [...entries],
    leftOut: draft.left.all(),
  });
}

/** What a plan holds so far, and what is left out of it. */
class PlanDraft {
  readonly entries: PlanEntry[] = [];
  readonly left = collectLeftOut();
  /** Whether an entry rests on a person's statement that Kube-OVN was uninstalled. */
  uninstalled = false;
  readonly #options: BuildPlanOptions;
  readonly #created: Date;
  /** The systems as they are once all entries are carried out. */
  readonly #ahead: ReturnType<typeof systemsAhead>;
  /** What the entries remove, and which rows they change. */
  readonly #targets = new Set<string>();
  readonly #touched = new Set<string>();
  #bytes = 0;

  constructor(options: BuildPlanOptions, created: Date) {
    this.#options = options;
    this.#created = created;
    this.#ahead = systemsAhead(options.systems);
  }

  /** Takes the proposal into the plan, or leaves it out. */
  async examine(proposal: Proposal): Promise<void> {
    const { limit = Infinity } = this.#options;
    if (this.entries.length >= limit)
      return this.left.add(proposal, `not examined: the plan was limited to ${limit}`);
    if (this.#bytes > MOST_BYTES) return this.left.add(proposal, FULL);
    const ahead = this.#ahead.systems;
    const found = await entryOf(proposal, this.#created, { ...this.#options, ahead });
    if ('leftOut' in found) return this.left.add(proposal, found.leftOut);
    const objection = this.#objection(found.entry);
    if (objection !== undefined) return this.left.add(proposal, objection);
    this.entries.push(found.entry);
    this.uninstalled ||= found.bySaying;
    this.#targets.add(targetOf(found.entry));
    this.#ahead.remove(found.undo, rowsOfEntry(found.entry));
    for (const uid of changedBy(found.undo)) this.#touched.add(uid);
  }

  /** Why the entry does not go into this plan; where it might, its bytes are counted. */
  #objection(entry: PlanEntry): string | undefined {
    if (this.#targets.has(targetOf(entry))) return 'another entry of this plan does the same';
    if (entry.target.part === undefined && this.#touched.has(entry.target.uid))
      return 'what is removed before it changes it: make another plan when this one is carried out';
    this.#bytes += Buffer.byteLength(JSON.stringify(entry));
    return this.#bytes > MOST_BYTES ? FULL : undefined;
  }
}

/** Leaves before roots; then by rule and by name, so that equal proposals give the same plan. */
function inOrder({ proposals, actionOf }: BuildPlanOptions): readonly Proposal[] {
  const rankOf = (proposal: Proposal): number => actionOf(proposal.remedy.action)?.rank ?? Infinity;
  const textOf = ({ rule, subject: { namespace = '', name, part }, id }: Proposal): string =>
    JSON.stringify([rule, namespace, name, part?.key ?? '', id]);
  return proposals
    .map((proposal) => ({ proposal, rank: rankOf(proposal), text: textOf(proposal) }))
    .sort((a, b) => compareValues(a.rank, b.rank) || compareValues(a.text, b.text))
    .map(({ proposal }) => proposal);
}

const targetOf = ({ target: { kind, uid, part } }: PlanEntry): string =>
  JSON.stringify([kind, uid, part?.column, part?.key]);

async function entryOf(
  proposal: Proposal,
  created: Date,
  options: BuildPlanOptions & { readonly ahead: Systems },
): Promise<
  | { readonly entry: PlanEntry; readonly undo: Undo; readonly bySaying: boolean }
  | { readonly leftOut: string }
> {
  const { cluster, prover, ahead, actionOf, signal } = options;
  const { id: finding, revision, rule, remedy } = proposal;
  if (proposal.cluster !== cluster) return { leftOut: `of the cluster ${proposal.cluster}` };
  const action = actionOf(remedy.action);
  if (action === undefined) return { leftOut: `this version has no action ${remedy.action}` };
  try {
    const proven = await prover.prove({ ...proposal, state: 'confirmed' }, signal); // ripeAt waits for its grace
    if (proven.is === 'gone') return { leftOut: 'gone meanwhile' };
    if (proven.is !== 'proven') return { leftOut: `${proven.is}: ${proven.reason}` };
    if (proven.claim.id !== finding) return { leftOut: 'its id is not that of what it is about' };
    const id = actionKey(cluster, proposal.subject, remedy.action, finding, revision);
    const prepared = await action.prepare(
      remedy.target,
      { action: id, rule, finding },
      ahead,
      signal,
    );
    if (prepared.is === 'refused') return { leftOut: `${prepared.code}: ${prepared.reason}` };
    return {
      entry: described(id, proposal, proven, action, prepared, ripeAt(proposal, created, options)),
      undo: prepared.undo,
      bySaying: proven.bySaying,
    };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Failure)) throw error;
    return { leftOut: `${error.code}: ${error.message}` };
  }
}

/**
 * The rows that stay and are not as they were afterwards: bound to their versions, nothing else
 * could be done about them in the same plan.
 */
function changedBy(undo: Undo): readonly string[] {
  switch (undo.of) {
    case 'rows':
      return undo.links.map(({ uuid }) => uuid);
    case 'entry':
      return [undo.uuid];
    case 'field':
      return [undo.uid];
    case 'object':
      return [];
  }
}

/** What is confirmed was seen twice and had its grace; what was only seen now has it before it. */
const ripeAt = (
  { state, class: ofClass }: Proposal,
  created: Date,
  { graceOf }: BuildPlanOptions,
): string =>
  new Date(created.getTime() + (state === 'confirmed' ? 0 : graceOf(ofClass))).toISOString();

/** In the words of the proof that was just made, not of the finding that led to it. */
function described(
  id: string,
  { id: finding, revision, remedy, cause }: Proposal,
  { claim, scope }: Proven,
  { does, undoing }: Action,
  { version, notRestored = [] }: Prepared,
  ripe: string,
): PlanEntry {
  const { rule, class: ofClass, severity, subject, concerns, summary: what, proof, owner } = claim;
  return {
    id,
    finding,
    revision,
    rule,
    class: ofClass,
    severity,
    action: remedy.action,
    target: remedy.target,
    subject,
    concerns,
    scope: {
      ...(scope.vpc === null ? {} : { vpc: scope.vpc }),
      ...(scope.subnet === null ? {} : { subnet: scope.subnet }),
    },
    ...(cause && { cause }),
    what,
    why: proof.map(factText),
    proof,
    owner,
    advice: remedy.advice,
    effect: does,
    undo: [undoing, ...notRestored.map(sentence)].join(' '),
    version,
    ripeAt: ripe,
  };
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

function countsOf(entries: readonly PlanEntry[]): Plan['counts'] {
  const counts = new Map<string, number>();
  for (const { rule } of entries) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return [...counts].map(([rule, count]) => ({ rule, count }));
}
