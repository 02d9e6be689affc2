import type { Undo } from '@ovn-steward/contracts/actions/undo';
import type { EffectComment } from '../action-kit/action';
import type { Systems } from '@ovn-steward/systems/systems';
import { undoEntry } from './undo-entry';
import { undoField } from './undo-field';
import { undoObject } from './undo-object';
import type { UndoPlan } from './undo-plan';
import { undoRows } from './undo-rows';

export type { UndoPlan } from './undo-plan';

/**
 * Reads whether what an action removed can be put back, and how; writes nothing.
 * @throws Failure when it cannot be read.
 */
export async function prepareUndo(
  undo: Undo,
  comment: EffectComment,
  systems: Systems,
  signal: AbortSignal,
): Promise<UndoPlan> {
  switch (undo.of) {
    case 'rows':
      return undoRows(undo, comment, systems, signal);
    case 'entry':
      return undoEntry(undo, comment, systems, signal);
    case 'object':
      return undoObject(undo, comment, systems, signal);
    case 'field':
      return undoField(undo, comment, systems, signal);
  }
}
