import { ACTION_CODES } from '@ovn-steward/contracts/actions/action-codes';

/** Why an action is in its state, for docs/actions-contract.md. */
export const actionCodesTable = (): string =>
  [
    '| `code` | With | Meaning |',
    '|---|---|---|',
    ...ACTION_CODES.map(
      ({ code, states, meaning }) =>
        `| \`${code}\` | ${states.map((it) => `\`${it}\``).join(', ')} | ${meaning} |`,
    ),
  ].join('\n');
