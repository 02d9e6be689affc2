import type { SourceId } from '@ovn-steward/contracts/identity/reference';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import type { Source } from './source';

/**
 * An address or a path, as the settings or the command line name it. Undefined stands for the
 * cluster that kubectl would take.
 */
export type Where<S extends SourceId> = S extends 'kubernetes' ? string | undefined : string;

/** What is to be observed, and how. */
export interface SourceRequest<S extends SourceId = SourceId> {
  readonly system: S;
  readonly where: Where<S>;
  readonly settings: Settings;
  /** Of a recording: its last state, or all that it holds, from its beginning. */
  readonly replay: 'final' | 'watch';
  /** How long a database may not answer before it counts as unreachable, in milliseconds. */
  readonly unreachableAfterMs?: number;
  /**
   * Called on interruptions, with one sentence each, under the id of the source or the name of the
   * stream.
   */
  readonly report?: (source: string, message: string) => void;
}

/** One way to observe a system: its servers, a file of its database, a recording. */
export interface SourceType<S extends SourceId> {
  /** What `where` may be, as help and messages name it. */
  readonly forms: string;
  /** Whether it observes a living system rather than a recording. */
  readonly isLive: boolean;
  /**
   * Whether `where` names what this type observes.
   * @throws Failure `input-not-found` where it has to be read for that and does not exist.
   */
  accepts(where: Where<S>): boolean;
  /**
   * Makes the source. Nothing is read before that is iterated.
   * @throws Failure `config-invalid`, `input-not-found`.
   */
  open(request: SourceRequest<S>): Source;
}
