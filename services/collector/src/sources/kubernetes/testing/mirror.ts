import type { Observation } from '../../../source-kit/source';

/** The simplest reader of observations: what it holds after them is what they say is there. */
export class Mirror {
  readonly objects = new Map<string, Record<string, unknown>>();
  readonly log: Observation[] = [];
  #shown: Set<string> | undefined;
  unavailable: string | undefined;

  take(batch: readonly Observation[]): void {
    for (const observation of batch) this.#take(observation);
  }

  count(type: Observation['type']): number {
    return this.log.filter((it) => it.type === type).length;
  }

  #take(observation: Observation): void {
    this.log.push(observation);
    switch (observation.type) {
      case 'begin':
        this.#shown = new Set();
        break;
      case 'object':
        this.#shown?.add(observation.uid);
        this.objects.set(observation.uid, observation.object);
        break;
      case 'gone':
        this.objects.delete(observation.uid);
        break;
      case 'complete':
        for (const uid of this.objects.keys()) if (!this.#shown?.has(uid)) this.objects.delete(uid);
        this.#shown = undefined;
        this.unavailable = undefined;
        break;
      case 'unavailable':
        this.unavailable = observation.reason;
        break;
      case 'progress':
        break;
    }
  }
}
