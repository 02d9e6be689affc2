import type { FailureCode } from '@ovn-steward/shared/errors';
import { type ActionRecord, UNDER_WAY } from '@ovn-steward/contracts/actions/action';
import type { ClusterIdentity } from '@ovn-steward/shared/cluster-identity';
import type { ActionCode } from '@ovn-steward/contracts/actions/action-codes';
import type { Undo } from '@ovn-steward/contracts/actions/undo';
import type { Unsettled } from '@ovn-steward/contracts/actions/unsettled';
import { fitsTopic } from '../ledger/action-record';
import { type Decision, next } from '../ledger/decide';
import type { Ledger } from '../ledger/ledger';
import type { Item } from '../gate/item';

/** What is to be recorded; a field that is left out stays as it was. */
export interface LedgerEntry
  extends
    Pick<ActionRecord, 'state' | 'reason'>,
    Partial<Pick<ActionRecord, 'proof' | 'owner' | 'scope' | 'foundations'>> {
  readonly code: ActionCode | FailureCode;
  readonly undo?: Undo;
  /** Of a claim that is put off: nothing was sent under it, or all that was sent was refused. */
  readonly unsent?: boolean;
}

/** The ledger, in the words of those who work. */
export interface LedgerWriter {
  of(id: string): ActionRecord | undefined;
  /** Its state and code, without reading the record. */
  stateOf(id: string): Pick<ActionRecord, 'state' | 'code'> | undefined;
  /** Other actions that removed the same thing, or are about to. */
  othersOn(item: Item): readonly ActionRecord[];
  /**
   * Records the outcome of an item; an outcome that may not follow the current state changes
   * nothing.
   * @returns the record that stands then.
   */
  write(item: Item, entry: LedgerEntry): ActionRecord;
  /** The same of many, in one transaction. */
  writeAll(entries: readonly (readonly [Item, LedgerEntry])[]): void;
  /** The same of a record whose finding need not stand any more. */
  goOn(record: ActionRecord, entry: LedgerEntry): ActionRecord;
  /**
   * Records that an action under way could not be finished. Nothing was decided, so no record is
   * reported.
   */
  unsettled(record: ActionRecord, unsettled: Unsettled): void;
  /** Whether the log would take it. */
  fits(item: Item, entry: LedgerEntry): boolean;
}

export interface LedgerWriterOptions {
  readonly ledger: Ledger;
  /** Names this process. */
  readonly executor: string;
  /** Of which living systems what is written now is. */
  readonly identity: () => ClusterIdentity | undefined;
  readonly clock: () => Date;
  /** Called with each record that is new. Must not throw. */
  readonly onAction: (action: ActionRecord) => void;
}

export function ledgerWriter({
  ledger,
  executor,
  identity,
  clock,
  onAction,
}: LedgerWriterOptions): LedgerWriter {
  const decisionOf = (
    item: Item,
    previous: ActionRecord | undefined,
    { state, code, reason, proof, owner, scope, undo, foundations }: LedgerEntry,
  ): Decision => {
    const { finding, mode, approval } = item;
    const named = identity();
    // Nothing of a record of unproven origin gets into a record that this executor signs.
    const known = ledger.isUnproven(item.id) ? undefined : previous;
    return {
      id: item.id,
      cluster: finding.cluster,
      ...(named && { identity: named }),
      rule: finding.rule,
      finding: {
        id: finding.id,
        revision: finding.revision,
        ...(finding.confirmedAt !== null && { confirmedAt: finding.confirmedAt }),
      },
      action: finding.remedy.action,
      target: finding.remedy.target,
      state,
      code,
      reason,
      mode,
      plan: approval?.plan ?? null,
      approvedBy:
        approval === undefined
          ? null
          : (approval.shownAs ?? approval.approvers ?? [approval.by]).join(', '),
      proof: proof ?? known?.proof ?? finding.proof,
      owner: owner ?? known?.owner ?? finding.owner,
      scope: scope ??
        known?.scope ?? {
          vpc: finding.scope?.vpc ?? null,
          subnet: finding.scope?.subnet ?? null,
        },
      undo: undo ?? known?.undo ?? null,
      executor,
      ...(foundations && { foundations }),
    };
  };
  const keep = (records: readonly ActionRecord[]): void => {
    ledger.write(records);
    for (const record of records) onAction(record);
  };
  /**
   * A claim of unproven origin is left as it is: every record this executor writes is signed, and
   * others would believe it.
   */
  const follows = (previous: ActionRecord | undefined): boolean =>
    previous === undefined || previous.claimedAt === null || !ledger.isUnproven(previous.id);
  const written = (
    previous: ActionRecord | undefined,
    decision: Decision,
    unsent: boolean,
  ): ActionRecord | undefined => {
    const record = follows(previous) ? next(previous, decision, clock(), { unsent }) : undefined;
    if (record === undefined) return undefined;
    keep([record]);
    return record;
  };
  return {
    of: (id) => ledger.get(id),
    stateOf: (id) => ledger.stateOf(id),
    othersOn({
      id,
      finding: {
        cluster,
        remedy: { target },
      },
    }) {
      const sameTarget = (action: ActionRecord): boolean =>
        action.target.kind === target.kind &&
        action.target.part?.column === target.part?.column &&
        action.target.part?.key === target.part?.key;
      return ledger
        .list({ cluster, subject: target.uid })
        .filter(
          (it) =>
            it.id !== id && (it.state === 'done' || UNDER_WAY.has(it.state)) && sameTarget(it),
        );
    },
    write(item, entry) {
      const previous = ledger.get(item.id);
      const record =
        written(previous, decisionOf(item, previous, entry), entry.unsent === true) ?? previous;
      if (record === undefined) throw new Error(`nothing was written about action ${item.id}`);
      return record;
    },
    writeAll(entries) {
      const now = clock();
      keep(
        entries.flatMap(([item, entry]) => {
          const previous = ledger.get(item.id);
          if (!follows(previous)) return [];
          return (
            next(previous, decisionOf(item, previous, entry), now, {
              unsent: entry.unsent === true,
            }) ?? []
          );
        }),
      );
    },
    goOn({ unsettled, ...record }, { unsent, ...entry }) {
      const previous = { ...record, ...(unsettled && { unsettled }) };
      return written(previous, { ...record, ...entry, executor }, unsent === true) ?? previous;
    },
    unsettled(record, unsettled) {
      if (!follows(record)) return;
      const updated = next(record, { ...record, unsettled, executor }, clock());
      if (updated !== undefined) ledger.write([updated]);
    },
    fits(item, entry) {
      const previous = ledger.get(item.id);
      const record = next(previous, decisionOf(item, previous, entry), clock());
      return record === undefined || fitsTopic(record);
    },
  };
}

/** Of what was removed, and is not being put back, and was not wanted back. */
const REMOVED: ReadonlySet<string> = new Set(['done', 'settled']);

/**
 * Whether the finding is about a thing that came back after this action had removed it: it was seen
 * to be deleted when that was written, and was first seen dead after the finding of this action was
 * confirmed, both by the sources' clocks. An executor's own clock does not count: it may be an hour
 * ahead. For actions of an earlier version the time is unknown: then the systems alone say whether
 * the thing exists again.
 */
export const hasComeBack = (
  { state, code, finding: { confirmedAt } }: Pick<ActionRecord, 'state' | 'code' | 'finding'>,
  firstSeen: string,
): boolean =>
  state === 'done' &&
  REMOVED.has(code) &&
  (confirmedAt === undefined || Date.parse(confirmedAt) < Date.parse(firstSeen));
