import type { Incident } from './incident';
import { startStage } from './stage';

/** How an incident ended, without and with ovn-steward, as the servers said. */
export interface IncidentRun {
  readonly incident: Incident;
  readonly unprotected: readonly string[];
  readonly guarded: readonly string[];
  readonly seconds: number;
}

/** Plays the incident twice, each time on servers of its own. */
export async function runIncident(incident: Incident): Promise<IncidentRun> {
  const began = performance.now();
  const unprotected = await ran(incident, false);
  const guarded = await ran(incident, true);
  return { incident, unprotected, guarded, seconds: (performance.now() - began) / 1000 };
}

async function ran(incident: Incident, guarded: boolean): Promise<readonly string[]> {
  const stage = await startStage(incident);
  try {
    return await incident.play(stage, guarded);
  } finally {
    await stage.stop();
  }
}

/** Both ended as the incident says. */
export const isAsReported = ({ incident, unprotected, guarded }: IncidentRun): boolean =>
  JSON.stringify([unprotected, guarded]) ===
  JSON.stringify([incident.unprotected, incident.guarded]);
