/** What to start: a program by its name, where the site finds it. */
export interface ServerSpec {
  /** What to call it in errors. */
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  /** The file its output is appended to. */
  readonly log: string;
}

/** A running server of ours, ended at the latest when this process ends. */
export interface Server {
  readonly name: string;
  running(): boolean;
  signal(signal: NodeJS.Signals): Promise<void>;
  /** Ends it: SIGTERM, and SIGKILL after ten seconds. A stopped (SIGSTOP) one is ended too. */
  stop(): Promise<void>;
  /** Ends it as a crash would: SIGKILL. */
  kill(): Promise<void>;
  /** The last lines of its output. */
  logTail(): string;
}

/**
 * Where a fixture's programs run: on this machine or in containers. Its scratch folder has the same
 * path in both.
 */
export interface Site {
  /** The address servers are to listen on, so that they are reached at 127.0.0.1 here. */
  readonly listen: string;
  start(spec: ServerSpec): Promise<Server>;
  /**
   * Runs a program to its end and gives its standard output; throws with its last words when it
   * fails.
   */
  run(program: string, args: readonly string[]): Promise<string>;
  close(): Promise<void>;
}
