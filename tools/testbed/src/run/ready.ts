import { startProcess, type ProcessSpec, type ServerProcess } from './process';
import { waitFor } from './wait';

export interface Readiness {
  /** What is waited for, for the error: "etcd to answer". */
  readonly what: string;
  readonly timeoutMs: number;
  check(): Promise<unknown>;
}

/** Starts a server process and waits until it is ready; ends it when it does not become so in time. `check` counts as soon as it gives anything but false. */
export async function startReady(spec: ProcessSpec, { what, timeoutMs, check }: Readiness): Promise<ServerProcess> {
  const process = await startProcess(spec);
  try {
    await waitFor(async () => (await check()) !== false, { what, timeoutMs, processes: [process] });
    return process;
  } catch (error) {
    await process.kill();
    throw error;
  }
}
