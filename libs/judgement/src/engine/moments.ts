import { ascendingBy } from '@ovn-steward/shared/compare';
import type { Change } from '@ovn-steward/contracts/changes/change';
import type { Cause, CauseMoment } from '@ovn-steward/contracts/findings/finding';
import { objectKey } from '@ovn-steward/contracts/identity/reference';
import { KUBE_OVN_CONTROLLER } from '@ovn-steward/shared/kube-ovn-controller';
import { namedAttachments } from '../kube-ovn/attachments';
import { holderOf, isControllerLease, podOfHolder } from '../kube-ovn/lease-holder';
import { type Entity, keyOf } from '../world/entity';
import type { MovedEntity, World } from '../world/world';

/**
 * Deletions that are remembered, about 200 bytes each: a leak is suspected with the deletion that
 * caused it, or a grace later.
 */
const MOST = 10_000;

/** A deletion that was seen while its stream was followed. */
interface Deletion {
  readonly moment: CauseMoment;
  /** Since when no controller of Kube-OVN led, where none did. */
  readonly unled: CauseMoment | undefined;
  /** NetworkAttachmentDefinitions that had gone before the pod that was attached to them. */
  readonly attachments: readonly CauseMoment[];
}

/**
 * Remembers when objects were deleted, and whether a controller led then, so that a finding can say
 * how what it is about was left over. What a full read finds missing may have gone any time before,
 * and is not remembered. The cost of a change is that of a map.
 */
export class Moments {
  readonly #world: World;
  readonly #gone = new Map<string, Deletion>();
  #unled: CauseMoment | undefined;

  constructor(world: World) {
    this.#world = world;
  }

  /** Handles what a change of an object moved. */
  observe({ before, after }: MovedEntity, change: Change): void {
    if (change.source !== 'kubernetes') return;
    if (after && isControllerLease(after)) this.#led(before, after, change);
    if (after) this.#gone.delete(titleOf(after));
    else if (before) this.#deleted(before, change);
  }

  /** How the owner that a finding names went, oldest first; undefined where no change showed it. */
  of({ kind, key }: Pick<Cause, 'kind' | 'key'>): readonly CauseMoment[] | undefined {
    const deletion = this.#gone.get(`${kind} ${key}`);
    if (!deletion) return undefined;
    const { moment, unled, attachments } = deletion;
    return [...attachments, ...(unled ? [unled] : []), moment].sort(ascendingBy((it) => it.at));
  }

  #led(before: Entity | undefined, after: Entity, change: Change): void {
    const was = holderOf(before);
    const is = holderOf(after);
    if (is === was) return;
    if (is !== '') this.#unled = undefined;
    else if (before)
      this.#unled = momentOf(change, `${titleOf(after)} was given up by ${was}, and nobody led`);
  }

  #deleted(entity: Entity, change: Change): void {
    const title = titleOf(entity);
    if (this.#world.stream(change.stream)?.isReading) return void this.#gone.delete(title);
    if (entity.kind === 'Pod' && entity.name.startsWith(KUBE_OVN_CONTROLLER) && this.#holds(entity))
      this.#unled = momentOf(change, `${title}, the controller that led, was deleted`);
    this.#gone.delete(title);
    this.#gone.set(title, {
      moment: momentOf(change, `${title} was deleted`),
      unled: this.#unled,
      attachments: entity.kind === 'Pod' ? this.#attachmentsOf(entity as Entity<'Pod'>) : [],
    });
    if (this.#gone.size > MOST) this.#gone.delete(this.#gone.keys().next().value!);
  }

  #attachmentsOf(pod: Entity<'Pod'>): readonly CauseMoment[] {
    return namedAttachments(pod).flatMap(
      (it) => this.#gone.get(`NetworkAttachmentDefinition ${it}`)?.moment ?? [],
    );
  }

  /** Whether that pod holds the controllers' Lease. */
  #holds({ namespace, name }: Entity): boolean {
    const lease = this.#world.byKey('Lease', objectKey(namespace ?? '', KUBE_OVN_CONTROLLER))[0];
    return podOfHolder(holderOf(lease)) === name;
  }
}

const titleOf = (entity: Entity): string => `${entity.kind} ${keyOf(entity)}`;

const momentOf = ({ observedAt, stream, epoch, seq }: Change, what: string): CauseMoment => ({
  at: observedAt,
  what,
  change: `${stream}/${epoch}/${seq}`,
});
