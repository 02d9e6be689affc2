import type { Change } from '@ovn-steward/contracts/changes/change';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { isKeyless } from '../rule-kit/keyless';
import type { Entity } from '../world/entity';
import { EVIDENCE, type FormerPart } from '../world/former-row';
import type { Parent } from '../world/ovn-rows';
import { NORTHBOUND } from '../world/stream-name';
import type { MovedEntity, World } from '../world/world';
import { DamageWatch } from './damage-watch';
import { Drafts } from './drafts';
import { fieldsOf, formerEntity, nameIn, parentOf, tierOf } from './former-draft';
import type { Former } from './harm';
import { isBack, joinMembers, lostMembers, stillClaims, withMembers } from './lost-members';
import { otherOwner } from './other-owner';

/**
 * Remembers rows of other owners as they were when they vanish or move tier, until they are back.
 * What it holds is in the world as kind `Former_Row`, so that a checkpoint keeps it; cost per
 * change is that of the rows that went with it.
 */
export class FormerRows {
  readonly #world: World;
  readonly #drafts = new Drafts();
  readonly #watch: DamageWatch;
  #recalled = false;

  constructor(world: World) {
    this.#world = world;
    this.#watch = new DamageWatch(world);
  }

  /** Restores what the world has from a checkpoint; once. */
  #recall(): void {
    this.#recalled = true;
    for (const entity of this.#world.entities('Former_Row')) {
      const former = entity.object as unknown as Former;
      const draft = {
        ...former,
        parts: [...former.parts],
        referrers: [...former.referrers],
        uid: entity.uid,
        name: entity.name,
      };
      this.#drafts.recall(draft);
      this.#watch.recall(draft);
    }
  }

  /**
   * Takes up what a finding says that nothing else remembers: the log no longer has rows that
   * vanished long ago.
   */
  recallFinding({ subject, was = [], owner, proof, firstSeen }: Finding): void {
    if (!this.#recalled) this.#recall();
    if (this.#drafts.get(subject.uid)) return;
    const damaged = was.filter(({ table, uid, gone, row }) => {
      const now = this.#world.entity(table, uid);
      return gone ? !now : now && !isBack({ table, gone, row }, now);
    });
    if (damaged.length === 0) return;
    const { uid, kind, name } = subject;
    const draft = this.#draft(
      { uid, kind, name },
      owner.owner === 'kube-ovn' ? undefined : owner.owner,
      firstSeen,
    );
    draft.evidence = proof.flatMap((it) =>
      it.fact === 'value' && it.path === EVIDENCE ? [it.value] : [],
    );
    for (const { referrers, ...part } of damaged) {
      if (part.uid === uid && part.gone) draft.row = part.row;
      else this.#drafts.add(draft, { ...part, moment: '', name: nameIn(part.row) });
      draft.referrers.push(...referrers.map((it) => ({ ...it, to: part.uid })));
    }
  }

  /** Handles what a change moved. */
  observe(moved: MovedEntity, change: Change): void {
    if (!this.#recalled) this.#recall();
    const { before, after } = moved;
    if (change.source === 'kubernetes') this.#watch.observeLease(moved, change.observedAt);
    if (change.source !== NORTHBOUND) return;
    const moment = change.cursor || change.observedAt;
    if (before && !after) this.#vanished(before, change.observedAt, moment);
    else if (after) {
      if (this.#drafts.size > 0) this.#stands(before, after);
      if (before) this.#altered(before, after, change.observedAt);
    }
  }

  /** What the world remembers otherwise since the last call. */
  flush(): MovedEntity[] {
    const drafts = this.#drafts;
    if (drafts.isChanged)
      for (const it of this.#watch.judge(drafts.latest(), (it) => drafts.get(it.uid) === it))
        drafts.mark(it);
    drafts.forget();
    return drafts.takeChanged().flatMap((uid) => this.#keep(uid) ?? []);
  }

  #vanished(row: Entity, at: string, moment: string): void {
    // Another database, or one that was put back whole: then nothing that vanished was deleted.
    if (row.kind === 'NB_Global') return this.#forgetAll();
    const owner = otherOwner(row, this.#tags());
    const parent = parentOf(row);
    if (parent) return this.#partVanished(row, owner, parent, at, moment);
    if (owner === undefined) return;
    const draft = this.#draft(row, owner, at);
    draft.row = this.#fuller(row);
    this.#drafts.forgetPart(row.uid);
    draft.moment = moment;
  }

  /** A part that names no owner belongs to its holder's owner. */
  #partVanished(
    row: Entity,
    owner: string | undefined,
    parent: Parent,
    at: string,
    moment: string,
  ): void {
    const root = this.#root(parent);
    if (!root) return;
    const holder = this.#ownerOf(root);
    const whose = owner ?? (isKeyless(row) ? holder : undefined);
    if (whose === undefined) return;
    const known = this.#drafts.part(row.uid);
    const whole = known?.table === 'ACL' ? known.row : this.#fuller(row);
    this.#drafts.add(this.#draft(root, holder, at), {
      table: row.kind,
      uid: row.uid,
      name: row.name,
      owner: whose,
      gone: true,
      moment,
      row: whole,
    });
  }

  /**
   * An ACL that left tier 0 and is else as it was, or a row that no longer refers to one that
   * vanished.
   */
  #altered(before: Entity, after: Entity, at: string): void {
    if (after.kind === 'ACL' && tierOf(before) === 0 && tierOf(after) !== 0)
      this.#leftTier(before, after, at);
    this.#lostMembers(before, after, at);
    if (this.#drafts.size === 0) return;
    const was = fieldsOf(before);
    const is = fieldsOf(after);
    for (const [column, held] of Object.entries(was)) {
      if (column.startsWith('_') || !Array.isArray(held) || held.length === 0) continue;
      const left = new Set((is[column] as readonly unknown[] | undefined) ?? []);
      for (const to of held as readonly unknown[])
        if (typeof to === 'string' && !left.has(to)) this.#unreferred(after, column, to);
    }
  }

  /**
   * Addresses of a set, VIPs of a balancer, or groups that listed a port, all of them of others:
   * those that its keys still say, else all.
   */
  #lostMembers(before: Entity, after: Entity, at: string): void {
    const { kind, uid } = after;
    const isPort = kind === 'Logical_Switch_Port';
    const all = lostMembers(kind, fieldsOf(before), fieldsOf(after));
    const lost = isPort ? all.filter((it) => this.#group(it)) : all;
    if (lost.length === 0) return;
    const owner = otherOwner((isPort && this.#group(lost[0]!)) || after, this.#tags());
    const parent = parentOf(after);
    const root = parent ? this.#root(parent) : after;
    if (owner === undefined || !root) return;
    const known = this.#drafts.part(uid);
    const was = this.#fuller(before);
    const members = [...lost, ...(known ? lostMembers(kind, was, fieldsOf(before)) : [])];
    const claimed = members.filter((it) => this.#claim(after, it) !== undefined);
    const claim = claimed[0] === undefined ? undefined : this.#claim(after, claimed[0]);
    this.#drafts.add(this.#draft(root, this.#ownerOf(root), at), {
      table: kind,
      uid,
      name: after.name,
      owner,
      gone: false,
      moment: at,
      row: withMembers(kind, was, claim === undefined ? members : claimed),
      ...(claim !== undefined && { claim }),
    });
  }

  #claim({ kind, object }: Entity, lost: string): string | undefined {
    const name = this.#world.entity('Port_Group', lost)?.name;
    return stillClaims(kind, object as never, [lost], name === undefined ? [] : [name]);
  }

  /** A group of others that stands. */
  #group(uid: string): Entity | undefined {
    const group = this.#world.entity('Port_Group', uid);
    return group && otherOwner(group, this.#tags()) !== undefined ? group : undefined;
  }

  /** The row as it is, with the members that it lost before. */
  #fuller(row: Entity): Readonly<Record<string, unknown>> {
    const known = this.#drafts.part(row.uid);
    return known && !known.gone ? joinMembers(row.kind, fieldsOf(row), known.row) : fieldsOf(row);
  }

  #leftTier(before: Entity, after: Entity, at: string): void {
    const owner = otherOwner(after, this.#tags());
    const parent = parentOf(after);
    const root = owner !== undefined && parent ? this.#root(parent) : undefined;
    if (!root || owner === undefined) return;
    this.#drafts.add(this.#draft(root, this.#ownerOf(root), at), {
      table: after.kind,
      uid: after.uid,
      name: after.name,
      owner,
      gone: false,
      moment: at,
      row: fieldsOf(before),
    });
  }

  #unreferred({ kind, uid }: Entity, column: string, to: string): void {
    const draft = this.#drafts.holding(to);
    if (!draft || (draft.uid === to && !draft.row)) return;
    draft.referrers.push({ table: kind, uid, column, to });
    this.#drafts.mark(draft);
  }

  /** The row is there: what is remembered of it, if anything, was put back. */
  #stands(before: Entity | undefined, after: Entity): void {
    const own = this.#drafts.get(after.uid);
    if (own?.row && !before) {
      delete own.row;
      this.#drafts.mark(own);
    }
    const part = this.#drafts.part(after.uid);
    if (!part || (part.gone && before)) return;
    if (isBack(part, after) || (part.claim !== undefined && !this.#isClaimed(part, after)))
      this.#drafts.forgetPart(after.uid);
  }

  /** Whether its keys still say that it has what it lost: otherwise its owner has given that up. */
  #isClaimed({ table, row }: FormerPart, after: Entity): boolean {
    const lost = lostMembers(table, row, fieldsOf(after));
    return lost.some((it) => this.#claim(after, it) !== undefined);
  }

  #draft(row: Pick<Entity, 'kind' | 'uid' | 'name'>, owner: string | undefined, at: string) {
    const draft = this.#drafts.open(row, owner, at);
    this.#watch.add(draft);
    // A full read reports what vanished since the last one, all at once.
    if (this.#world.stream(NORTHBOUND)?.isReading) draft.unwatched = true;
    return draft;
  }

  /**
   * The row that stands by itself and holds, or held, the parent: as it is, or as it is remembered.
   */
  #root({
    kind,
    uid,
  }: Pick<Parent, 'kind' | 'uid'>): Pick<Entity, 'kind' | 'uid' | 'name'> | undefined {
    const entity = this.#world.entity(kind, uid);
    const parent = entity && parentOf(entity);
    if (entity) return parent && parent.uid !== uid ? this.#root(parent) : entity;
    const draft = this.#drafts.holding(uid);
    return draft && { kind: draft.table, uid: draft.uid, name: draft.name };
  }

  /** Undefined for a row that is Kube-OVN's or may be. */
  #ownerOf({ kind, uid }: Pick<Entity, 'kind' | 'uid'>): string | undefined {
    const draft = this.#drafts.get(uid);
    if (draft) return draft.onKubeOvns ? undefined : draft.owner;
    const entity = this.#world.entity(kind, uid);
    return entity && otherOwner(entity, this.#tags());
  }

  #tags(): boolean {
    for (const { object } of this.#world.entities('NB_Global'))
      if (
        Object.hasOwn((object as { external_ids?: object }).external_ids ?? {}, 'kube-ovn-version')
      )
        return true;
    return false;
  }

  #forgetAll(): void {
    this.#drafts.forgetAll();
    this.#watch.clear();
  }

  #keep(uid: string): MovedEntity | undefined {
    const before = this.#world.entity('Former_Row', uid);
    const draft = this.#drafts.get(uid);
    if (!before && !draft) return undefined;
    const after = draft && formerEntity(draft, before);
    this.#world.keep(before, after);
    return { ...(before && { before }), ...(after && { after }) };
  }
}
