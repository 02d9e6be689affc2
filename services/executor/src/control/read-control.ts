import { messageOf } from '@ovn-steward/shared/errors';
import { Control, controlKey } from '@ovn-steward/contracts/control/control';
import type { LogRecord } from '@ovn-steward/shared/log/log';
import type { RefusedFor } from '@ovn-steward/shared/log/origin';
import { planOfControl } from '../plan/plan';
import { mayDecide } from './may-decide';

/**
 * A record of the control topic: a decision; one of version 1 of a type that was added later (its union is open); the tombstone of what stood
 * under its key; what is no decision at all, with the reason; or what nobody who may decide it is proven to have written, which counts for nothing.
 */
export type ReadControl =
  | { readonly control: Control; readonly signed?: true }
  | { readonly newer: string }
  | { readonly forgotten: true }
  | { readonly poison: string }
  | { readonly refused: RefusedFor; readonly why: string };

/** What a decision that is withdrawn may be about: a hold ends by a resume. */
const WITHDRAWABLE = /^(?:approve|plan|undo)\/./;

const TYPES: ReadonlySet<unknown> = new Set(Control.options.map((it) => it.shape.type.value));

/** Reads one record. Who decided is who signed it, where that is proven, and not who it says. Never throws. */
export function readControl({
  origin,
  ...record
}: Pick<LogRecord, 'key' | 'value' | 'origin'>): ReadControl {
  if (origin?.is === 'refused') return { refused: origin.reason, why: origin.why };
  const read = contentOf(record);
  if (origin?.is !== 'proven')
    return saysAnother(read, (it) => it.by)
      ? { poison: 'it says to be the word of another than who says it' }
      : read;
  const why = mayDecide(origin.by, record.key, typeOf(read));
  if (why !== undefined) return { refused: 'role', why };
  const { keyId } = origin.by;
  if (saysAnother(read, () => keyId))
    return {
      refused: 'role',
      why: `${origin.by.name} signed it, and it says to be the word of another`,
    };
  return 'control' in read
    ? { control: { ...read.control, by: origin.by.name }, signed: true }
    : read;
}

/** Whether an approval of one among several names somebody else as whose word it is: he would count twice. */
const saysAnother = (read: ReadControl, own: (control: Control) => string): boolean =>
  'control' in read &&
  read.control.type === 'approve' &&
  read.control.approver !== undefined &&
  read.control.approver !== own(read.control);

const typeOf = (read: ReadControl): string | undefined =>
  'control' in read ? read.control.type : 'newer' in read ? read.newer : undefined;

function contentOf({ key, value }: Pick<LogRecord, 'key' | 'value'>): ReadControl {
  if (value === null) return { forgotten: true };
  const parsed = jsonOf(value);
  if ('poison' in parsed) return parsed;
  const { success, data: control, error } = Control.safeParse(parsed.json);
  if (!success) {
    const type = laterType(parsed.json);
    if (type !== undefined) return { newer: type };
    const [issue] = error.issues;
    return {
      poison: `not a decision of version 1: ${[issue?.path.join('.'), issue?.message].filter(Boolean).join(' ')}`,
    };
  }
  const wrong = contradiction(key, control);
  return wrong === undefined ? { control } : { poison: wrong };
}

function jsonOf(value: Buffer): { readonly json: unknown } | { readonly poison: string } {
  try {
    return { json: JSON.parse(value.toString('utf8')) };
  } catch (error) {
    return { poison: `not JSON: ${messageOf(error)}` };
  }
}

/** The type, where that alone is why it is not understood. */
function laterType(json: unknown): string | undefined {
  if (
    typeof json !== 'object' ||
    json === null ||
    !('type' in json) ||
    typeof json.type !== 'string' ||
    TYPES.has(json.type)
  )
    return undefined;
  return 'version' in json && json.version === 1 ? json.type : undefined;
}

/** Why a decision that is well formed cannot be meant; undefined when it can. */
function contradiction(key: string, control: Control): string | undefined {
  if (control.cluster.includes('/'))
    return `${JSON.stringify(control.cluster)} is no name of a cluster`;
  if (control.type === 'withdraw' && !WITHDRAWABLE.test(control.of))
    return `${JSON.stringify(control.of)} cannot be withdrawn: approve/<finding>, plan/<id> or undo/<id> can`;
  if (controlKey(control) !== key)
    return `its key is not ${controlKey(control)}, which it decides about`;
  if (control.type !== 'plan') return undefined;
  const plan = planOfControl(control);
  return typeof plan === 'string' ? plan : undefined;
}
