import type { LogRecord } from '@ovn-steward/shared/log/log';
import type { RefusedFor } from '@ovn-steward/shared/log/origin';
import type { Control } from './control';
import { decodeControl, type DecodedControl } from './control-codec';
import { whyMayNotDecide } from './may-decide';

/**
 * A record of the control topic, and what nobody who may decide it is proven to have written, which
 * counts for nothing.
 */
export type ReadControl =
  | { readonly control: Control; readonly signed?: true }
  | Exclude<DecodedControl, { readonly control: Control }>
  | { readonly refused: RefusedFor; readonly why: string };

/** A record of the control topic, and what stands under its key by it. */
export interface ControlEntry {
  readonly key: string;
  readonly read: ReadControl;
}

/**
 * Reads one record. Who decided is who signed it, where that is proven, and not who it says. Never
 * throws.
 */
export function readControl({
  origin,
  ...record
}: Pick<LogRecord, 'key' | 'value' | 'origin'>): ReadControl {
  if (origin?.is === 'refused') return { refused: origin.reason, why: origin.why };
  const read = contentOf(record);
  if (origin?.is !== 'proven')
    return isAboutAnother(read, (it) => it.by)
      ? { poison: 'it names another approver than its author' }
      : read;
  const why = whyMayNotDecide(origin.by, record.key, typeOf(read));
  if (why !== undefined) return { refused: 'role', why };
  const { keyId } = origin.by;
  if (isAboutAnother(read, () => keyId))
    return {
      refused: 'role',
      why: `${origin.by.name} signed it, and it names another approver`,
    };
  return 'control' in read
    ? { control: { ...read.control, by: origin.by.name }, signed: true }
    : read;
}

/**
 * Whether an approval of one among several names somebody else as its approver: its author would
 * count twice.
 */
const isAboutAnother = (read: ReadControl, own: (control: Control) => string): boolean =>
  'control' in read &&
  read.control.type === 'approve' &&
  read.control.approver !== undefined &&
  read.control.approver !== own(read.control);

const typeOf = (read: ReadControl): string | undefined =>
  'control' in read ? read.control.type : 'newer' in read ? read.newer : undefined;

function contentOf(record: Pick<LogRecord, 'key' | 'value'>): ReadControl {
  const read = decodeControl(record);
  return 'control' in read ? { control: read.control } : read;
}
