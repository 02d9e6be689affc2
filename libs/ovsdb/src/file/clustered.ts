import { Replica, type ReplicaOptions } from '../replica/replica';
import type { RowChange } from '../replica/row-change';
import { parseSchema } from '../schema/schema';
import { type ClusterHead, readClusterHead, wholeNumber } from './cluster-record';
import type { FileRecord } from './file-record';
import { applyRows, naming, type ReplayedTransaction } from './transaction-record';

interface Entry {
  readonly record: FileRecord;
  readonly head: ClusterHead;
}

const textOf = (head: ClusterHead, name: string): string | undefined => {
  const value = head.members.get(name);
  return typeof value === 'string' ? value : undefined;
};

/**
 * The state of replaying the log of one member of a cluster. Its first record is a snapshot; of the
 * entries that follow, only those up to the last `commit_index` are the database: those above may
 * yet be overwritten by others of the same index.
 */
export class ClusteredReplay {
  readonly format = 'clustered';
  readonly serverId: string | undefined;
  readonly clusterId: string | undefined;
  private readonly pending = new Map<number, Entry>();
  private next: number;

  private constructor(
    readonly header: ClusterHead,
    public replica: Replica,
    /** The index of the last entry known to be committed. */
    private committed: number,
    /** The content the log begins with. */
    readonly snapshot: ReplayedTransaction,
  ) {
    this.serverId = textOf(header, 'server_id');
    this.clusterId = textOf(header, 'cluster_id');
    this.next = committed + 1;
  }

  static async begin(record: FileRecord, options: ReplicaOptions): Promise<ClusteredReplay> {
    const head = await readClusterHead(record);
    const { data } = head;
    const index = wholeNumber(record, head, 'prev_index');
    if (data?.name !== 'prev_data' || data.schema === undefined || index === undefined)
      throw record.error(
        'no-schema',
        'this member of the cluster has no content yet: it never finished joining. Take the file of another member',
      );
    const replica = new Replica(
      naming(record, () => parseSchema(data.schema)),
      options,
    );
    const transaction = data.transaction ?? {};
    const changes = data.transaction
      ? await applyRows(record, ['prev_data', 1], replica, transaction)
      : [];
    return new ClusteredReplay(head, replica, index, {
      ...transaction,
      record: record.place.number,
      changes,
    });
  }

  /** Entries at the end of the log that it does not know to be committed. They are not applied. */
  get uncommitted(): number {
    return this.pending.size;
  }

  /** Takes one record, and applies the transactions it shows to be committed. */
  async add(record: FileRecord): Promise<ReplayedTransaction[]> {
    const head = await readClusterHead(record);
    const index = wholeNumber(record, head, 'index');
    const commitIndex = wholeNumber(record, head, 'commit_index');
    if (head.data && index === undefined)
      throw record.error('corrupt', 'it holds data, but no index in the log');
    if (index !== undefined) this.append(index, { record, head });
    return commitIndex === undefined ? [] : this.commit(commitIndex, record);
  }

  /**
   * An entry of an index that is there already replaces it and all above it, as in Raft's
   * AppendEntries.
   */
  private append(index: number, entry: Entry): void {
    if (index <= this.committed)
      throw entry.record.error(
        'corrupt',
        `it overwrites entry ${index}, but all up to ${this.committed} are committed`,
      );
    if (index > this.next)
      throw entry.record.error(
        'corrupt',
        `it is entry ${index}, but entry ${this.next} is missing`,
      );
    for (let stale = index; stale < this.next; stale++) this.pending.delete(stale);
    this.pending.set(index, entry);
    this.next = index + 1;
  }

  private async commit(upTo: number, by: FileRecord): Promise<ReplayedTransaction[]> {
    if (upTo < this.committed || upTo >= this.next)
      throw by.error(
        'corrupt',
        `it commits entry ${upTo}, but the log is committed to ${this.committed} and ends at ${this.next - 1}`,
      );
    const transactions: ReplayedTransaction[] = [];
    while (this.committed < upTo) {
      const entry = this.pending.get(this.committed + 1);
      this.pending.delete(++this.committed);
      if (entry?.head.data) transactions.push(await this.apply(entry, entry.head.data));
    }
    return transactions;
  }

  private async apply(
    { record }: Entry,
    { name, schema, transaction }: NonNullable<ClusterHead['data']>,
  ): Promise<ReplayedTransaction> {
    const head = transaction ?? {};
    const rows = (into: Replica): Promise<RowChange[]> =>
      transaction ? applyRows(record, [name, 1], into, head) : Promise.resolve([]);
    const at = { ...head, record: record.place.number };
    if (schema === undefined) return { ...at, changes: await rows(this.replica) };
    // A conversion: OVS before 3.2 stores the whole content again, later ones only the schema.
    const { replica, gone } = naming(record, () => this.replica.converted(parseSchema(schema)));
    this.replica = replica;
    if (!transaction) return { ...at, changes: gone };
    const content = replica.emptyCopy();
    await rows(content);
    return { ...at, changes: [...replica.replaceBy(content), ...gone] };
  }
}
