import { RELATIONS } from '@ovn-steward/judgement/relations/registry';
import { TALLIES } from '@ovn-steward/judgement/tallies/registry';
import type { StreamState } from '@ovn-steward/judgement/world/streams';
import { World } from '@ovn-steward/judgement/world/world';

/** A world that takes what was reported last for all there is. */
export class TrustingWorld extends World {
  constructor() {
    super(RELATIONS, TALLIES);
  }

  override knows(): boolean {
    return true;
  }

  override completeness(): StreamState['completeness'] {
    return { state: 'complete' };
  }
}

/** A world in which every source knows as much as the one that knows most. */
export class HastyWorld extends World {
  constructor() {
    super(RELATIONS, TALLIES);
  }

  override streamOf(kind: string): StreamState | undefined {
    const stream = super.streamOf(kind);
    if (!stream) return undefined;
    let { observedThrough } = stream;
    for (const it of this.streams())
      if (it.observedThrough > observedThrough) observedThrough = it.observedThrough;
    return { ...stream, observedThrough };
  }
}

/** Both at once: neither what is known nor up to when. */
export class BlindWorld extends HastyWorld {
  override knows(): boolean {
    return true;
  }

  override completeness(): StreamState['completeness'] {
    return { state: 'complete' };
  }
}

/** A world that does not say of every change what it moved. */
export class ForgetfulWorld extends World {
  constructor() {
    super(RELATIONS, TALLIES);
  }

  override takeTouched(): ReturnType<World['takeTouched']> {
    return new Set([...super.takeTouched()].filter((it) => it % 5 !== 0));
  }
}
