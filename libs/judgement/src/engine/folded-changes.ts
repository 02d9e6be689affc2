import type { Cause, CauseMoment, Finding } from '@ovn-steward/contracts/findings/finding';
import type { WorldInput } from '../world/world-input';
import type { MovedEntity, World } from '../world/world';
import { latest } from './clock';
import { FormerAddresses } from './former-addresses';
import { FormerRows } from './former-rows';
import { Moments } from './moments';

/**
 * Folds changes into the world, and keeps what changes show that the world does not: the sources'
 * time, rows of others as they were, address records that were kept for somebody, and when owners
 * went.
 */
export class FoldedChanges {
  readonly #world: World;
  readonly #former: FormerRows;
  readonly #addresses: FormerAddresses;
  readonly #moments: Moments;
  #now = '';

  constructor(world: World) {
    this.#world = world;
    this.#former = new FormerRows(world);
    this.#addresses = new FormerAddresses(world);
    this.#moments = new Moments(world);
  }

  /** The sources' time as of the last change; empty before the first. */
  get now(): string {
    return this.#now;
  }

  /** Continues at the time and with the findings of an earlier run. */
  resume(findings: readonly Finding[], now: string): void {
    this.#now = now;
    this.#addresses.resume(now);
    for (const finding of findings)
      if (finding.state !== 'resolved') this.#former.recallFinding(finding);
    this.#former.flush();
  }

  /** How the owner that a finding names went, oldest first; undefined where no change showed it. */
  momentsOf(cause: Pick<Cause, 'kind' | 'key'>): readonly CauseMoment[] | undefined {
    return this.#moments.of(cause);
  }

  /**
   * @param options as for `World.fold`.
   * @returns what the changes moved.
   */
  fold(changes: readonly WorldInput[], options: { checked: boolean }): readonly MovedEntity[] {
    const moved: MovedEntity[] = [];
    let latestBefore = latest('', this.#world.streams());
    for (const change of changes) {
      const movedThing = this.#world.fold(change, options);
      this.#remember(change, movedThing);
      if (movedThing) moved.push(movedThing);
      const through = this.#world.stream(change.stream)?.observedThrough ?? '';
      if (through > latestBefore) latestBefore = through;
      // Before any source said up to when it knows, its changes are all the time there is. Change
      // by change, so that cutting them into other batches makes no difference.
      const time = latestBefore || ('observedAt' in change ? change.observedAt : '');
      // A recording is of its own time, however late it is read.
      if (time > this.#now || (this.#world.recorded && latestBefore !== '')) this.#now = time;
    }
    moved.push(...this.#former.flush(), ...this.#addresses.flush(this.#now));
    return moved;
  }

  #remember(change: WorldInput, moved: MovedEntity | undefined): void {
    const original = change.type === 'replayed' ? change.change : change;
    if (original.type === 'unreadable') return;
    this.#addresses.fold(original);
    if (!moved) return;
    this.#former.observe(moved, original);
    this.#addresses.observe(moved, original);
    this.#moments.observe(moved, original);
  }
}
