import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RULES } from '@ovn-steward/judgement/rules/registry';
import { bashSession, programFolder } from './testing/completing';
import { steward } from './testing/cli';
import { completedWords } from './testing/shell-session';
import { RECORDINGS } from './testing/truth';
import { COMMANDS, stewardProgram } from './program';

const LEAKY = join(RECORDINGS, 'leaky');
let bin: string;
let folder: string;
let state: string;

beforeAll(async () => {
  bin = programFolder();
  folder = mkdtempSync(join(tmpdir(), 'steward-state-'));
  state = join(folder, 'state');
  const inputs = ['--ovn-nb', join(LEAKY, 'nb.db'), '--kubernetes', LEAKY];
  await steward(['run', ...inputs, '--state-dir', state, '--speed', '600', '--until-quiet', '3']);
  const hold = ['hold', '--rule', 'leaked-ip', '--reason', 'a test', '--wait', '0'];
  await steward([...hold, '--state-dir', state]);
  mkdirSync(join(folder, 'two'));
  cpSync(join(LEAKY, 'nb.db'), join(folder, 'two', 'nb.db'));
});
afterAll(() => {
  for (const it of [bin, folder]) rmSync(it, { recursive: true, force: true });
});

const inBash = (line: string): Promise<string[]> => completedWords(bashSession(bin), line);

describe('bash completes', () => {
  it('the names of all commands', async () => {
    expect(await inBash('steward ')).toEqual(Object.keys(COMMANDS).sort());
  });

  it('the options of a command, as the program has them', async () => {
    const [findings] = (await stewardProgram(() => undefined, ['findings'])).commands;
    const options = [...findings!.options.map((it) => it.long!), '--help'];
    expect(await inBash('steward findings --')).toEqual(options.sort());
  });

  it.each([
    ['a command below a command', 'steward guard st', ['status']],
    [
      'the words of an option',
      'steward findings -o ',
      'json markdown ndjson table wide yaml'.split(' '),
    ],
    ['a value joined to its option', 'steward findings --output=n', ['--output=ndjson']],
    [
      'past a value with colons',
      'steward findings --kafka-brokers a:9092,b:9092 --cl',
      ['--class', '--cluster'],
    ],
    ['classes', 'steward findings --class mis', ['misplaced', 'missing']],
  ])('%s', async (_what, line, words) => {
    expect((await inBash(line)).sort()).toEqual(words);
  });

  it('rules', async () => {
    const rules = RULES.map(({ id }) => id).filter((it) => it.startsWith('leaked'));
    expect(rules.length).toBeGreaterThan(1);
    expect(await inBash('steward plan --rule leaked')).toEqual(rules.sort());
  });

  it('ids of findings from a state folder that the line names', async () => {
    const { stdout } = await steward(['findings', '--state-dir', state, '-o', 'json']);
    const ids = (JSON.parse(stdout) as { id: string }[]).map(({ id }) => id.slice(0, 10));
    expect(ids.length).toBeGreaterThan(20);
    expect(await inBash(`steward approve --state-dir ${state} `)).toEqual(ids.sort());
  });

  it('ids of findings of files that the line names', async () => {
    const inputs = ['--ovn-nb', join(LEAKY, 'nb.db'), '--kubernetes', LEAKY];
    const { stdout } = await steward(['audit', ...inputs, '-o', 'json']);
    const { findings } = JSON.parse(stdout) as { findings: { id: string }[] };
    const ids = findings.map(({ id }) => id.slice(0, 10));
    expect(await inBash(`steward explain ${inputs.join(' ')} `)).toEqual(ids.sort());
  });

  it('what is on hold, to resume it', async () => {
    expect(await inBash(`steward resume --state-dir ${state} --rule `)).toEqual(['leaked-ip']);
  });

  it('files and folders', async () => {
    expect(await inBash(`steward restore ${folder}/two/n`)).toEqual([`${folder}/two/nb.db`]);
    expect(await inBash(`steward findings --state-dir ${folder}/t`)).toEqual([`${folder}/two`]);
  });
});

describe('the answer to a shell', () => {
  const answerTo = (...words: string[]) =>
    steward(['completion', 'bash', '--', 'steward', ...words]);

  it.each([
    ['a folder that is none', ['explain', '--state-dir', '/nonexistent', '']],
    ['a file that is none', ['explain', '--ovn-nb', '/nonexistent', '--kubernetes', LEAKY, '']],
    ['a server, which it does not ask', ['explain', '--kafka-brokers', '127.0.0.1:1', '']],
    ['a setting that is none', ['explain', '--config', '/nonexistent', '']],
    ['a live database', ['explain', '--ovn-nb', 'tcp:127.0.0.1:1', '']],
  ])('is empty and silent for %s', async (_what, words) => {
    expect(await answerTo(...words)).toEqual({ code: 0, stdout: 'words\n', stderr: '' });
  });
});
