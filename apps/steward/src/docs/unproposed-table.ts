import { EXECUTOR_ACTIONS } from '@ovn-steward/executor';

/** The actions that no rule proposes, and why; for docs/executor.md. */
export const unproposedTable = (): string =>
  [
    '| Action | Why |',
    '|---|---|',
    ...EXECUTOR_ACTIONS.flatMap(({ id, unproposed }) =>
      unproposed === undefined ? [] : [`| \`${id}\` | ${unproposed} |`],
    ),
  ].join('\n');
