import { rmSync } from 'node:fs';
import { join } from 'node:path';

/** From which nodes the volumes of pods can be used. */
export class Volumes {
  readonly #bound = new Map<string, string>();
  readonly #deleted = new Set<string>();
  #local = true;

  /** @param folder of all of them. */
  constructor(private readonly folder: string) {}

  /** The only node that has the volume of a pod; undefined where any will do. */
  nodeOf(pod: string): string | undefined {
    return this.#bound.get(pod);
  }

  /** A pod was placed: a volume on a local disk is on that node from then on. */
  placed(pod: string, node: string): void {
    if (this.#deleted.delete(pod)) rmSync(join(this.folder, pod), { recursive: true, force: true });
    if (this.#local) this.#bound.set(pod, node);
  }

  /** As if they were of a class whose volumes follow their pods. */
  follow(): void {
    this.#local = false;
    this.#bound.clear();
  }

  /**
   * Its claim is deleted: it goes with the pod, and the next one gets an empty volume, wherever it
   * stands.
   */
  delete(pod: string): void {
    this.#bound.delete(pod);
    this.#deleted.add(pod);
  }
}
