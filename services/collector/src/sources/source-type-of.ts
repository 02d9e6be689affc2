import type { SourceId } from '@ovn-steward/contracts/identity/reference';
import { SOURCE_TYPES } from './registry';
import type { SourceType, Where } from '../source-kit/source-type';

/**
 * The type that observes what `where` names. The last of the candidates is taken without asking:
 * when it reads, it says itself what is wrong.
 * @param onlyLive whether only types of living systems are candidates.
 * @throws Failure `input-not-found`.
 */
export function sourceTypeOf<S extends SourceId>(
  system: S,
  where: Where<S>,
  onlyLive = false,
): SourceType<S> {
  const candidates = SOURCE_TYPES[system].filter((type) => !onlyLive || type.isLive);
  return candidates.slice(0, -1).find((type) => type.accepts(where)) ?? candidates.at(-1)!;
}

/** What can be named for a system, for help and messages. */
export const formsOf = (system: SourceId): string =>
  SOURCE_TYPES[system]
    .map((type) => type.forms)
    .reverse()
    .join(', or ');
