import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type SHOWN, STATE_FILES } from './kept-state';

const STATES = join(__dirname, 'states');

/** The versions of which a state is kept. */
export const keptVersions = (): string[] => readdirSync(STATES).sort();

/** Puts the state that the version made into a folder, as it left it. */
export function unpackState(version: string, folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of STATE_FILES)
    writeFileSync(
      join(folder, name),
      gunzipSync(readFileSync(join(STATES, version, `${name}.gz`))),
      { mode: 0o600 },
    );
}

/** What that version showed of it, as JSON. */
export const shownBy = (version: string, what: keyof typeof SHOWN): unknown =>
  JSON.parse(readFileSync(join(STATES, version, `${what}.json`), 'utf8'));
