import { type Entity, keyOf } from '../world/entity';

/** So many are remembered: the latest. */
const MOST = 20_000;

/** When things were deleted, by kind and key. */
export class DeletedThings {
  readonly #at = new Map<string, string>();

  add(entity: Entity, at: string): void {
    const key = `${entity.kind} ${keyOf(entity)}`;
    this.#at.delete(key);
    this.#at.set(key, at);
    if (this.#at.size > MOST) this.#at.delete(this.#at.keys().next().value!);
  }

  at(kind: string, key: string): string | undefined {
    return this.#at.get(`${kind} ${key}`);
  }
}
