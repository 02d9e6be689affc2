import type { Access } from '@ovn-steward/shared/access';
import type { Failure } from '@ovn-steward/shared/errors';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import type { Logger } from '../log/logger';
import type { Definition, Meter } from '../meter/definition';
import type { ServiceIdentity } from '../settings/identity';
import type { Lack } from './lack';

/** What the shell gives a service to work with. */
export interface Shell {
  /** The identity of the service. */
  readonly identity: ServiceIdentity;
  readonly settings: Settings;
  readonly logger: Logger;
  readonly meter: Meter;
  /**
   * Who may do what over HTTP; undefined: every client that reaches the port reads, and none
   * decides.
   */
  readonly access?: Access | undefined;
  /**
   * Ends the process now, nothing closed: for work that must not go on and does not stop. It is
   * logged, and said in one sentence.
   */
  endAtOnce(error: Failure): never;
}

/**
 * What was opened, with how it is closed. It is closed once the work has ended; the last opened
 * first.
 */
export type Opened = (what: string, close: () => void | Promise<void>) => void;

/** What a service does. Making one opens and starts nothing. */
export interface ServiceRuntime {
  /**
   * Opens what it needs and works until the signal fires; then takes nothing more, finishes what is
   * in hand and settles. Called again after a failure that may pass, with everything closed
   * meanwhile.
   *
   * @throws whatever ended it. A Failure that trying again cannot mend ends the process.
   */
  work(signal: AbortSignal, opened: Opened): Promise<void>;
  /** What it lacks to be ready; nothing when it is. */
  missing(): readonly Lack[];
  /** Why only a new process would help, if so. Must not depend on anything outside the process. */
  stuck?(): string | undefined;
}

/** The token of the `Shell` a service works in. */
export const SHELL = Symbol('SHELL');
/** The token of the `Service` an application runs. */
export const SERVICE = Symbol('SERVICE');

/** A service before it is started. */
export interface ServiceDefinition extends ServiceIdentity {
  /**
   * Whether a process of it serves the one cluster of the settings; else it serves every cluster
   * that the log has records of.
   */
  readonly ofOneCluster: boolean;
  /** The series it has besides those of every service. */
  readonly metrics: readonly Definition[];
  /** Who may do what over HTTP, by the settings; without, no login is needed. */
  readonly accessOf?: (settings: Settings) => Access | undefined;
}
