import type { Stage } from './stage';

/**
 * One thing that went wrong in the field, to be played twice on real servers: without ovn-steward,
 * and with it.
 */
export interface Incident {
  /** Kebab case, equal to the file name. */
  readonly name: string;
  /** What happens, in one sentence. */
  readonly happens: string;
  /** Where it is described. */
  readonly source: string;
  readonly answer: 'freed' | 'found and freed' | 'prevented' | 'prevented and freed';
  /**
   * What a person does about it, as it is run, with `;` between several; `<backup>` stands for the
   * file of a backup taken before.
   */
  readonly command: string;
  /** What the servers hold at the end when nobody does it. */
  readonly unprotected: readonly string[];
  /** And when somebody does. */
  readonly guarded: readonly string[];
  /** Files the servers start with. */
  readonly database: string;
  readonly cluster: string;
  /**
   * Plays it, with `command` at its place when `guarded`.
   * @returns what is at the end, read from the servers.
   */
  play(stage: Stage, guarded: boolean): Promise<readonly string[]>;
}
