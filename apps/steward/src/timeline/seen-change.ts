import type { Delete, Omitted, Put } from '@ovn-steward/contracts/changes/change';

/**
 * A change of an object, and where it stands in the log: `<topic>/<partition>/<offset>`, empty
 * where there is no log.
 */
export interface SeenChange {
  readonly change: Put | Delete | Omitted;
  readonly position: string;
}

/** `<kind> <namespace>/<name>`: what proofs call a deleted object. */
export const kindAndName = (thing: {
  kind: string;
  namespace?: string | undefined;
  name: string;
}): string => `${thing.kind} ${thing.namespace ? `${thing.namespace}/` : ''}${thing.name}`;
