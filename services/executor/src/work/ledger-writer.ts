import { type ActionRecord, UNDER_WAY } from '@ovn-steward/contracts/actions/action';
import type { ClusterIdentity } from '@ovn-steward/shared/cluster-identity';
import { gatherCalls } from '@ovn-steward/shared/gather-calls';
import type { Unsettled } from '@ovn-steward/contracts/actions/unsettled';
import { fitsTopic } from '../ledger/action-record';
import { type Decision, nextRecord } from '../ledger/decide';
import type { Ledger } from '../ledger/ledger';
import type { Item } from '../gate/item';
import { decisionFor, type LedgerEntry } from './ledger-entry';

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

/** What was done is recorded, whoever ends meanwhile. */
const never = new AbortController().signal;

/** The ledger, in the words of those who work. */
export class LedgerWriter {
  readonly #ledger: Ledger;
  readonly #options: LedgerWriterOptions;
  readonly #gathered = gatherCalls<readonly [Item, LedgerEntry], ActionRecord>((entries) => {
    const write = async (): Promise<void> => this.writeAll(entries);
    const written = write();
    return async ([item]) => {
      await written;
      return this.#current(item);
    };
  });

  /** About which entries of a plan something was recorded since that was handed over. */
  readonly #recorded = new WeakMap<NonNullable<Item['entries']>, Set<string>>();

  constructor(options: LedgerWriterOptions) {
    this.#ledger = options.ledger;
    this.#options = options;
  }

  of(id: string): ActionRecord | undefined {
    return this.#ledger.get(id);
  }

  /** Its state, code and plan, without reading the record. */
  stateOf(id: string): Pick<ActionRecord, 'state' | 'code' | 'plan'> | undefined {
    return this.#ledger.stateOf(id);
  }

  /**
   * Whether nothing was recorded about an entry of a plan since that was handed over: whoever did it
   * waits for a sign that an executor has it.
   */
  isNewlyHandedOver({ id, entries }: Item): boolean {
    return entries !== undefined && this.#recorded.get(entries)?.has(id) !== true;
  }

  #noteRecorded({ id, entries }: Item): void {
    if (entries === undefined) return;
    const recorded = this.#recorded.get(entries);
    if (recorded === undefined) this.#recorded.set(entries, new Set([id]));
    else recorded.add(id);
  }

  /** Other actions that removed the same thing, or are about to. */
  othersOn({ id, finding }: Item): readonly ActionRecord[] {
    const { cluster, remedy } = finding;
    return this.#ledger
      .list({ cluster, subject: remedy.target.uid })
      .filter(
        (action) =>
          action.id !== id &&
          (action.state === 'done' || UNDER_WAY.has(action.state)) &&
          isSameThing(action.target, remedy.target),
      );
  }

  /**
   * Records the outcome of an item; an outcome that may not follow the current state changes
   * nothing.
   * @returns the record that stands then.
   */
  write(item: Item, entry: LedgerEntry): ActionRecord {
    const previous = this.#ledger.get(item.id);
    const decision = this.#decisionFor(item, previous, entry);
    const handedOver = this.isNewlyHandedOver(item);
    const written = this.#written(previous, decision, entry.unsent === true, handedOver);
    this.#noteRecorded(item);
    return written ?? this.#current(item);
  }

  /**
   * The same, in one transaction with what others record in this turn of the event loop: where a
   * disk is slow, many records cost what one costs.
   * @throws Failure, for all of them, where they could not be written.
   */
  writeTogether(item: Item, entry: LedgerEntry): Promise<ActionRecord> {
    return this.#gathered([item, entry], never);
  }

  /** The same of many, in one transaction. */
  writeAll(entries: readonly (readonly [Item, LedgerEntry])[]): void {
    const now = this.#options.clock();
    this.#keep(
      entries.flatMap(([item, entry]) => {
        const previous = this.#ledger.get(item.id);
        if (!this.#mayFollow(previous)) return [];
        const decision = this.#decisionFor(item, previous, entry);
        const handedOver = this.isNewlyHandedOver(item);
        const unsent = entry.unsent === true;
        return nextRecord(previous, decision, now, { unsent, handedOver }) ?? [];
      }),
    );
    for (const [item] of entries) this.#noteRecorded(item);
  }

  /** The same of a record whose finding need not stand any more. */
  goOn({ unsettled, ...record }: ActionRecord, { unsent, ...entry }: LedgerEntry): ActionRecord {
    const { executor } = this.#options;
    const previous = { ...record, ...(unsettled && { unsettled }) };
    return this.#written(previous, { ...record, ...entry, executor }, unsent === true) ?? previous;
  }

  /**
   * Records that an action under way could not be finished. Nothing was decided, so no record is
   * reported.
   */
  unsettled(record: ActionRecord, unsettled: Unsettled): void {
    if (!this.#mayFollow(record)) return;
    const { executor, clock } = this.#options;
    const updated = nextRecord(record, { ...record, unsettled, executor }, clock());
    if (updated !== undefined) this.#ledger.write([updated]);
  }

  #current({ id }: Item): ActionRecord {
    const record = this.#ledger.get(id);
    if (record === undefined) throw new Error(`nothing was written about action ${id}`);
    return record;
  }

  /** Whether the log would take it. */
  fits(item: Item, entry: LedgerEntry): boolean {
    const previous = this.#ledger.get(item.id);
    const decision = this.#decisionFor(item, previous, entry);
    const record = nextRecord(previous, decision, this.#options.clock());
    return record === undefined || fitsTopic(record);
  }

  #decisionFor(item: Item, previous: ActionRecord | undefined, entry: LedgerEntry): Decision {
    const { executor, identity } = this.#options;
    // Nothing of a record of unproven origin gets into a record that this executor signs.
    const known = this.#ledger.isUnproven(item.id) ? undefined : previous;
    return decisionFor(item, entry, known, { executor, identity: identity() });
  }

  #written(
    previous: ActionRecord | undefined,
    decision: Decision,
    unsent: boolean,
    handedOver = false,
  ): ActionRecord | undefined {
    if (!this.#mayFollow(previous)) return undefined;
    const record = nextRecord(previous, decision, this.#options.clock(), { unsent, handedOver });
    if (record !== undefined) this.#keep([record]);
    return record;
  }

  /**
   * A claim of unproven origin is left as it is: every record this executor writes is signed, and
   * others would believe it.
   */
  #mayFollow(previous: ActionRecord | undefined): boolean {
    return (
      previous === undefined || previous.claimedAt === null || !this.#ledger.isUnproven(previous.id)
    );
  }

  #keep(records: readonly ActionRecord[]): void {
    this.#ledger.write(records);
    for (const record of records) this.#options.onAction(record);
  }
}

type Target = ActionRecord['target'];

const isSameThing = (one: Target, other: Target): boolean =>
  one.kind === other.kind &&
  one.part?.column === other.part?.column &&
  one.part?.key === other.part?.key;
