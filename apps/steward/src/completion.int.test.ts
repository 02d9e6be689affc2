import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { describeWith, shells } from '@ovn-steward/testbed/fixture';
import { shellsAtHand } from '@ovn-steward/testbed/provision/shells';
import { programFolder, zshSession } from './testing/completing';
import { completedWords } from './testing/shell-session';
import { COMMANDS } from './program';

/** Lines, and what they are completed to in every shell. */
const LINES: readonly (readonly [line: string, words: readonly string[]])[] = [
  ['steward ', Object.keys(COMMANDS).sort()],
  ['steward guard st', ['status']],
  ['steward findings -o ', ['json', 'markdown', 'ndjson', 'table', 'wide', 'yaml']],
  ['steward findings --output=n', ['--output=ndjson']],
  ['steward findings --kafka-brokers a:9092,b:9092 --cl', ['--class', '--cluster']],
  ['steward plan --rule leaked-', ['leaked-ip', 'leaked-ovn-eip', 'leaked-vip']],
];

describeWith(shells, 'other shells', () => {
  let bin: string;
  beforeAll(() => {
    bin = programFolder();
  });
  afterAll(() => rmSync(bin, { recursive: true, force: true }));

  it.each(LINES)('zsh completes %j', async (line, words) => {
    expect((await completedWords(zshSession(bin), line)).sort()).toEqual(words);
  });

  it.each(LINES)('fish completes %j', (line, words) => {
    const { fish, env } = shellsAtHand()!;
    const { stdout } = spawnSync(
      fish,
      ['--no-config', '-c', `steward completion fish | source; complete -C '${line}'`],
      {
        encoding: 'utf8',
        env: { ...env, HOME: bin, PATH: `${bin}:${process.env['PATH']}` },
      },
    );
    const completed = stdout.split('\n').filter((it) => it !== '');
    expect(completed.map((it) => it.split('\t')[0]).sort()).toEqual(words);
  });
});
