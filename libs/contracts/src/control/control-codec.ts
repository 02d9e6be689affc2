import type { Headers, LogRecord, NewRecord } from '@ovn-steward/shared/log/log';
import { z } from 'zod';
import { checkDocument, type Poison, recordJson } from '../record/read-document';
import { Control, controlKey } from './control';

/** A record of the control topic, read. */
export type DecodedControl =
  /**
   * Not `understood`: it has a word of a later version. Only what executors publish (`heard`) has
   * such words.
   */
  | { readonly control: Control; readonly understood: boolean }
  /** A decision of version 1 of a type that was added later: nobody here knows what it wants. */
  | { readonly newer: string }
  /** The tombstone of what stood under its key. */
  | { readonly forgotten: true }
  | Poison;

/** The JSON of a decision, which is what its signature is over. */
export const controlText = (control: Control): string => JSON.stringify(control);

/** What a record of a decision is made of. */
export interface ControlParts {
  readonly id: string;
  readonly key: string;
  /** The decision's JSON, as it was signed. */
  readonly value: string;
  /** Headers besides, such as the signature. */
  readonly headers?: Headers;
}

/** A decision that is JSON already. @param at milliseconds since 1970. */
export const encodeControlParts = (
  { id, key, value, headers }: ControlParts,
  at: number,
): NewRecord => ({ key, value, headers: { id, ...headers }, timestamp: at });

/**
 * A decision as it is published on the control topic.
 * @param at milliseconds since 1970.
 */
export const encodeControl = (control: Control, at: number): NewRecord =>
  encodeControlParts({ id: control.id, key: controlKey(control), value: controlText(control) }, at);

/** The decision is as if it had never been made. @param at milliseconds since 1970. */
export const encodeForgottenControl = (
  control: Parameters<typeof controlKey>[0],
  at: number,
): NewRecord => ({ key: controlKey(control), value: null, timestamp: at });

/** What a decision that is withdrawn may be about: a hold ends by a resume. */
const WITHDRAWABLE = /^(?:approve|plan|undo)\/./;

const TYPES: ReadonlySet<string> = new Set(Control.options.map((it) => it.shape.type.value));

/** A decision of a type that only a later version knows says no more for certain. */
const Later = z.object({ version: z.literal(1), type: z.string().refine((it) => !TYPES.has(it)) });

/**
 * Reads one record, regardless of its writer. Never throws. A record under a key that is not its
 * own is poison: it would replace what another decided.
 */
export function decodeControl({ key, value }: Pick<LogRecord, 'key' | 'value'>): DecodedControl {
  if (value === null) return { forgotten: true };
  const read = recordJson(value);
  if ('poison' in read) return read;
  const later = Later.safeParse(read.json).data;
  if (later !== undefined) return { newer: later.type };
  const checked = checkDocument(Control, 'a decision', read.json, isInDecisions);
  if ('poison' in checked) return checked;
  const { document, understood } = checked;
  // Nobody passes a decision on but as the bytes it is: members that this version does not know are
  // left out.
  const control = understood ? Control.parse(document) : document;
  const wrong = contradiction(key, control);
  return wrong === undefined ? { control, understood } : { poison: wrong };
}

/**
 * Whether the words there only report decisions: any other may be what keeps something from being
 * removed.
 */
const isInDecisions = ([first]: readonly PropertyKey[]): boolean => first === 'decisions';

/** Why a decision that is well formed cannot be meant; undefined when it can. */
function contradiction(key: string, control: Control): string | undefined {
  if (control.cluster.includes('/'))
    return `${JSON.stringify(control.cluster)} is no name of a cluster`;
  if (control.type === 'withdraw' && !WITHDRAWABLE.test(control.of))
    return `${JSON.stringify(control.of)} cannot be withdrawn: approve/<finding>, plan/<id> or undo/<id> can`;
  return controlKey(control) === key
    ? undefined
    : `its key is not ${controlKey(control)}, which it decides about`;
}
