import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fixture } from '@ovn-steward/testbed/fixture';
import { makeCacheFolder } from '@ovn-steward/testbed/provision/cache';

export const EXAMPLES = join(__dirname, '../../examples/consumers');

/** How a consumer is started. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

/** An example: what it needs of the machine, and how it is built. */
export interface Language {
  readonly name: string;
  readonly fixture: Fixture;
  build(): Program;
}

const onPath = (name: string, ...programs: string[]): Fixture => ({
  name,
  missing: () => {
    const lacking = programs.filter((it) => spawnSync('which', [it]).status !== 0);
    return lacking.length === 0 ? undefined : `install ${lacking.join(' and ')}`;
  },
});

/**
 * A folder for what is built of these sources, with a copy of them; built once for each state of
 * them.
 */
function built(language: string, build: (folder: string) => void): string {
  const source = join(EXAMPLES, language);
  const files = readdirSync(source, { recursive: true, withFileTypes: true }).filter(
    (it) => it.isFile() && !/(^|\/)(target|\.venv)(\/|$)/.test(it.parentPath.slice(source.length)),
  );
  const state = createHash('sha256');
  for (const { parentPath, name } of files) state.update(readFileSync(join(parentPath, name)));
  const folder = makeCacheFolder('consumers', `${language}-${state.digest('hex').slice(0, 16)}`);
  if (existsSync(join(folder, 'complete'))) return folder;
  cpSync(source, folder, { recursive: true });
  build(folder);
  execFileSync('touch', [join(folder, 'complete')]);
  return folder;
}

const run = (folder: string, command: string, ...args: string[]): void =>
  void execFileSync(command, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });

/** What is killed within seconds is compiled in vain by the better compiler. */
const SHORT_LIVED = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];

export const LANGUAGES: readonly Language[] = [
  {
    name: 'typescript',
    fixture: onPath('Node', 'node'),
    build: () => ({
      command: process.execPath,
      args: [
        '--require',
        join(__dirname, 'typescript-here.cjs'),
        join(EXAMPLES, 'typescript/consumer.ts'),
      ],
    }),
  },
  {
    name: 'python',
    fixture: onPath('Python', 'python3'),
    build: () => {
      const folder = built('python', (into) => {
        run(into, 'python3', '-m', 'venv', '.venv');
        run(into, '.venv/bin/pip', 'install', '--quiet', '--requirement', 'requirements.txt');
      });
      return {
        command: join(folder, '.venv/bin/python'),
        args: [join(EXAMPLES, 'python/consumer.py')],
      };
    },
  },
  {
    name: 'go',
    fixture: onPath('Go', 'go'),
    build: () => {
      const folder = built('go', (it) => run(it, 'go', 'build', '-o', 'findings-consumer', '.'));
      return { command: join(folder, 'findings-consumer'), args: [] };
    },
  },
  {
    name: 'java',
    fixture: onPath('Java and Maven', 'java', 'mvn'),
    build: () => {
      const folder = built('java', (it) =>
        run(it, 'mvn', '--quiet', '--batch-mode', 'package', 'dependency:copy-dependencies'),
      );
      const path = [join(folder, 'target/classes'), join(folder, 'target/dependency/*')].join(':');
      return { command: 'java', args: [...SHORT_LIVED, '-cp', path, 'FindingsConsumer'] };
    },
  },
];
