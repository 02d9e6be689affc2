import { STATE_FORMATS } from '../state/state-formats';

/** Every format of state of this version, for docs/upgrade.md. */
export const stateFormatsTable = (): string =>
  [
    '| File | Part | Format | What it holds | An older one is | A newer one is |',
    '|---|---|---|---|---|---|',
    ...STATE_FORMATS.map(
      ({ file, part, version, holds, older, newer }) =>
        `| \`${file}\` | ${part === 'file' ? '' : `\`${part}\``} | ${version} | ${holds} | ${older} | ${newer} |`,
    ),
  ].join('\n');
