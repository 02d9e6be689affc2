import { spawn } from 'node:child_process';

/** What an interactive shell does with keys. */
export interface ShellSession {
  /** The program and its arguments, as a shell would read them. */
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
  /** Lines to run first. */
  readonly setUp: readonly string[];
  /** Keys that put every completion of the last word into the line. */
  readonly allCompletions: string;
}

const PROMPT = 'READY> ';
const ENTER = '\r';
const LINE_BEGIN = '\x01';

/**
 * Starts a shell on a terminal, types a line, and gives the words that the shell completes it to,
 * without those typed before.
 */
export async function completedWords(session: ShellSession, line: string): Promise<string[]> {
  const child = spawn('script', ['--quiet', '--command', session.command, '/dev/null'], {
    env: { PATH: process.env['PATH'] ?? '', TERM: 'dumb', PS1: PROMPT, ...session.env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let shown = '';
  let heard = (): void => undefined;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    heard();
  });
  const until = (pattern: RegExp): Promise<void> =>
    new Promise((resolve, reject) => {
      heard = () => pattern.test(shown) && resolve();
      child.once('exit', () => reject(new Error(`the shell ended: ${shown}`)));
      heard();
    });
  try {
    await until(/READY> /);
    for (const [index, command] of session.setUp.entries()) {
      child.stdin.write(`${command}; echo "set up" ${index}${ENTER}`);
      await until(new RegExp(`^set up ${index}\\r?\\n[^]*READY> `, 'm'));
    }
    child.stdin.write(`${line}${session.allCompletions}`);
    child.stdin.write(`${LINE_BEGIN}printf '<%s>\\n' ${ENTER}echo "all" printed${ENTER}`);
    await until(/^all printed\r?$/m);
  } finally {
    child.kill('SIGKILL');
  }
  const words = [...shown.matchAll(/^<(.*)>\r?$/gm)].map((it) => it[1]!);
  return words.slice(line.split(' ').length - 1);
}
