import type { Change } from '@ovn-steward/contracts/changes/change';
import { kubernetesStream } from '@ovn-steward/shared/kinds';
import { heldFor, isMadeReservation, keeperOf } from '../rule-kit/kept-address';
import { tookLead } from '../kube-ovn/lease-holder';
import { isAlive } from '../kube-ovn/pod-networks';
import { podsByMachine } from '../relations/pods-by-machine';
import { type Entity, keyOf } from '../world/entity';
import type { FormerAddress, Keeper } from '../world/former-address';
import { MEMORY } from '../world/former-row';
import type { MovedEntity, World } from '../world/world';

/** Records that are remembered at most, about 1 KB each; the oldest are forgotten first. */
const MOST_RECORDS = 10_000;
/** Changes of owners that are remembered at most, about 100 bytes each; as above. */
const MOST_CHANGES = 10_000;
/** So long one is remembered: a week, in milliseconds. */
const LONGEST_MS = 7 * 24 * 3600_000;
/**
 * Within so long after its owner changed, a record may be deleted because of that, though the news
 * come in another order. Milliseconds.
 */
const UNCHANGED_MS = 60_000;
/**
 * Within so long after a controller took the lead it collects IP objects (kube-ovn.md §4.14).
 * Milliseconds.
 */
const START_MS = 60_000;

const KEEPERS: ReadonlySet<string> = new Set<Keeper['kind']>(['StatefulSet', 'VirtualMachine']);

/**
 * Remembers address records that were deleted though they were kept for somebody, until that owner
 * goes or requests something else. What it holds is in the world as kind `Former_Address`, so that
 * a checkpoint keeps it. What a full read finds missing is not remembered: what its owner requested
 * meanwhile is not known. The cost of a change is that of a map.
 */
export class FormerAddresses {
  readonly #world: World;
  /** By name, in the order in which they were deleted. */
  readonly #records = new Map<string, Entity<'Former_Address'>>();
  /** Names of records by the key of their owner, `Kind namespace/name`. */
  readonly #byKeeper = new Map<string, Set<string>>();
  /** When owners changed last, by uid, as far as that was heard; milliseconds. */
  readonly #changedAt = new Map<string, number>();
  /** Since when changes are heard; milliseconds. */
  #knownSince: number | undefined;
  readonly #moved: MovedEntity[] = [];
  #ledAt = -Infinity;
  #recalled = false;

  constructor(world: World) {
    this.#world = world;
  }

  /** Goes on at the time of an earlier run, which heard changes of owners until then. */
  resume(now: string): void {
    if (now !== '') this.#knownSince = Date.parse(now);
  }

  /** Hears where full reads begin: what a stream did not report before one is not known. */
  fold({ stream, type, observedAt }: Change): void {
    this.#knownSince ??= Date.parse(observedAt);
    if (type !== 'snapshot-begin') return;
    const kind = [...KEEPERS].find((it) => kubernetesStream(it) === stream);
    if (kind === undefined) return;
    this.#recall();
    const known = Date.parse(this.#world.stream(stream)?.observedThrough ?? '');
    for (const record of [...this.#records.values()])
      if (record.object.keeper?.kind === kind && !(Date.parse(record.object.deletedAt) < known))
        this.#forget(record);
  }

  /** Handles what a change of an object moved. */
  observe({ before, after }: MovedEntity, change: Change): void {
    if (change.source !== 'kubernetes') return;
    const { kind } = (after ?? before)!;
    if (kind === 'IP' && before && !after) this.#deleted(before as Entity<'IP'>);
    else if (KEEPERS.has(kind)) this.#changed(before, after, Date.parse(change.observedAt));
    // When the lead that a full read finds was taken is not known.
    else if (before && tookLead(before, after))
      this.#ledAt = this.#isReading('Lease') ? -Infinity : Date.parse(change.observedAt);
  }

  /** What the world remembers otherwise since the last call. */
  flush(now: string): MovedEntity[] {
    this.#recall();
    const before = Date.parse(now) - LONGEST_MS;
    for (const record of this.#records.values()) {
      if (this.#records.size <= MOST_RECORDS && !(Date.parse(record.object.deletedAt) < before))
        break;
      this.#forget(record);
    }
    return this.#moved.splice(0);
  }

  /** Restores what the world has from a checkpoint; once. */
  #recall(): void {
    if (this.#recalled) return;
    this.#recalled = true;
    for (const it of this.#world.entities('Former_Address'))
      this.#add(it as Entity<'Former_Address'>);
  }

  #deleted(ip: Entity<'IP'>): void {
    const deletedAt = ip.object.metadata.deletionTimestamp;
    if (deletedAt === undefined || this.#isReading('IP')) return;
    const keeper = keeperOf(ip, { find: (kind, key) => this.#world.byKey(kind, key).at(-1) });
    const why = keeper ? this.#keptFor(keeper, ip, deletedAt) : this.#collected(ip, deletedAt);
    if (why === undefined) return;
    this.#recall();
    const { metadata, spec = {} } = ip.object;
    const known = this.#records.get(ip.name);
    if (known) this.#forget(known);
    const entity: Entity<'Former_Address'> = {
      source: 'kubernetes',
      stream: MEMORY,
      kind: 'Former_Address',
      uid: ip.uid,
      name: ip.name,
      object: { metadata, spec, deletedAt, ...why },
      hash: ip.hash,
    };
    this.#world.keep(undefined, entity);
    this.#moved.push({ after: entity });
    this.#add(entity);
  }

  /** Undefined where its pod uses it, or its owner changed lately. */
  #keptFor(
    keeper: Entity<Keeper['kind']>,
    ip: Entity<'IP'>,
    deletedAt: string,
  ): Pick<FormerAddress, 'keeper'> | undefined {
    const isBehind = [keeper.kind, 'Pod'].some((kind) => this.#isBehind(kind));
    // What changed before changes were heard may have changed just before.
    const changedAt = this.#changedAt.get(keeper.uid) ?? this.#knownSince ?? Infinity;
    if (isBehind || changedAt > Date.parse(deletedAt) - UNCHANGED_MS || this.#isInUse(ip))
      return undefined;
    return { keeper: { kind: keeper.kind, key: keyOf(keeper), uid: keeper.uid } };
  }

  /**
   * A reservation of nobody, which a person deletes as well: only one that went as a controller
   * started.
   */
  #collected(ip: Entity<'IP'>, deletedAt: string): Pick<FormerAddress, 'ledSince'> | undefined {
    const after = Date.parse(deletedAt) - this.#ledAt;
    const isOwned = this.#isBehind('Pod') || this.#podsOf(ip).length > 0;
    // The API server writes whole seconds.
    return isMadeReservation(ip) && !isOwned && after > -1000 && after <= START_MS
      ? { ledSince: new Date(this.#ledAt).toISOString() }
      : undefined;
  }

  /** Whether a pod that Kube-OVN has served, and that is not being deleted, has the address. */
  #isInUse(ip: Entity<'IP'>): boolean {
    return this.#podsOf(ip).some(
      (pod) =>
        isAlive(pod) &&
        Object.keys(pod.object.metadata.annotations ?? {}).some((it) =>
          it.endsWith('.kubernetes.io/allocated'),
        ),
    );
  }

  /** The pod that the record names, or those of the machine. */
  #podsOf(ip: Entity<'IP'>): readonly Entity<'Pod'>[] {
    const key = heldFor(ip.object);
    return [
      ...this.#world.byKey('Pod', key),
      ...this.#world.related(podsByMachine.id, key),
    ] as readonly Entity<'Pod'>[];
  }

  #isReading(kind: string): boolean {
    return this.#world.streamOf(kind)?.isReading === true;
  }

  /** Whether what the world holds of the kind may be older than what is reported now. */
  #isBehind(kind: string): boolean {
    return !this.#world.knows(kind) || this.#isReading(kind);
  }

  #changed(before: Entity | undefined, after: Entity | undefined, at: number): void {
    const owner = (after ?? before)!;
    if (before && after && requestOf(before) === requestOf(after)) return;
    this.#changedAt.delete(owner.uid);
    if (after) this.#changedAt.set(owner.uid, at);
    if (this.#changedAt.size > MOST_CHANGES)
      this.#changedAt.delete(this.#changedAt.keys().next().value!);
    this.#recall();
    for (const name of [...(this.#byKeeper.get(`${owner.kind} ${keyOf(owner)}`) ?? [])]) {
      const record = this.#records.get(name)!;
      if (!this.#isKept(record)) this.#forget(record);
    }
  }

  #isKept({ uid, name, object }: Entity<'Former_Address'>): boolean {
    const { metadata, spec, keeper } = object;
    const ip = { kind: 'IP', uid, name, object: { metadata, spec } } as unknown as Entity<'IP'>;
    const now = keeperOf(ip, { find: (kind, key) => this.#world.byKey(kind, key).at(-1) });
    return now !== undefined && now.uid === keeper?.uid;
  }

  #add(record: Entity<'Former_Address'>): void {
    this.#records.set(record.name, record);
    const key = keeperKeyOf(record);
    if (key === undefined) return;
    const names = this.#byKeeper.get(key);
    if (names) names.add(record.name);
    else this.#byKeeper.set(key, new Set([record.name]));
  }

  #forget(record: Entity<'Former_Address'>): void {
    this.#records.delete(record.name);
    const key = keeperKeyOf(record);
    const names = key === undefined ? undefined : this.#byKeeper.get(key);
    names?.delete(record.name);
    if (names?.size === 0) this.#byKeeper.delete(key!);
    this.#world.keep(record, undefined);
    this.#moved.push({ before: record });
  }
}

const keeperKeyOf = ({ object: { keeper } }: Entity<'Former_Address'>): string | undefined =>
  keeper && `${keeper.kind} ${keeper.key}`;

/** What decides which addresses an owner wants kept; starting and stopping a machine does not. */
function requestOf({ kind, object }: Entity): string {
  const { metadata, spec } = object as unknown as Entity<Keeper['kind']>['object'];
  const { template, ...rest } = (spec ?? {}) as Record<string, unknown>;
  return JSON.stringify([
    metadata.deletionTimestamp,
    template,
    kind === 'StatefulSet' ? rest : undefined,
  ]);
}
