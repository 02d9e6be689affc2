import { Change } from '@ovn-steward/shared/events/change';
import { messageOf } from '@ovn-steward/shared/errors';
import type { LogRecord } from '@ovn-steward/shared/log/log';

/** A record of the changes topic, understood or not. A tombstone says nothing the delete before it did not say. */
export type Read = { readonly change: Change } | { readonly skipped: true } | { readonly poison: string };

/** Parses one record. Never throws: what cannot be read is poison with the reason, for the dead-letter topic. */
export function readChange(record: LogRecord): Read {
  if (record.value === null) return { skipped: true };
  try {
    const parsed = Change.safeParse(JSON.parse(record.value.toString('utf8')));
    if (parsed.success) return { change: parsed.data };
    const issue = parsed.error.issues[0];
    return { poison: `not a change of version 1: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim() };
  } catch (error) {
    return { poison: `not JSON: ${messageOf(error)}` };
  }
}
