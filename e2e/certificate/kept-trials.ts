import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { isClean, type Trial } from './trial';

/** One line of the file. */
interface Kept {
  readonly commit: string;
  readonly part: string;
  readonly trials: readonly Trial[];
}

/**
 * What the parts of a certificate came to, in a file of a JSON line each: a certificate of six
 * releases takes an hour and more, and one that was broken off goes on where it was. Only what was
 * done at the same commit counts. A part that was not clean is tried again, and each trial in it
 * says how often it was.
 */
export class KeptTrials {
  readonly #lines: Kept[];

  /** @param file undefined where nothing is kept; one that is not there yet is made. */
  constructor(
    readonly file: string | undefined,
    readonly commit: string,
  ) {
    const text = file !== undefined && existsSync(file) ? readFileSync(file, 'utf8') : '';
    this.#lines = text
      .split('\n')
      .filter((it) => it !== '')
      .map((it) => JSON.parse(it) as Kept)
      .filter((it) => it.commit === commit);
  }

  /** The trials of a part: as they are kept, where all were clean; else it is tried now. */
  async of(part: string, attempt: () => Promise<readonly Trial[]>): Promise<readonly Trial[]> {
    const before = this.#lines.filter((it) => it.part === part);
    const clean = before.find((it) => it.trials.every(isClean));
    if (clean) return clean.trials;
    const trials = (await attempt()).map((it) =>
      before.length === 0 ? it : { ...it, nth: before.length + 1 },
    );
    const line: Kept = { commit: this.commit, part, trials };
    this.#lines.push(line);
    if (this.file !== undefined) appendFileSync(this.file, `${JSON.stringify(line)}\n`);
    return trials;
  }
}
