import { RULES } from '../rules/registry';

/**
 * The kinds of which a rule says what their deletion waits for. A pod that is held is stuck, too,
 * but it is not being deleted.
 */
export const HANGING_KINDS: ReadonlySet<string> = new Set(
  RULES.filter(({ id }) => /^stuck-.+-deletion$/.test(id)).map((it) => it.subject),
);
