import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDockerfile } from './dockerfile';
import { localBuild } from './local-build';

describe('localBuild', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'steward-build-'));
    mkdirSync(join(folder, 'context/src/deep'), { recursive: true });
    for (const [path, text] of [
      ['a.txt', 'a'],
      ['src/b.txt', 'b'],
      ['src/deep/c.txt', 'c'],
      ['src/secret.txt', 's'],
    ])
      writeFileSync(join(folder, 'context', path!), text!);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const building = (dockerfile: string) =>
    localBuild({
      stages: readDockerfile(dockerfile),
      context: join(folder, 'context'),
      inContext: (path) => !path.includes('secret'),
      scratch: join(folder, 'stages'),
    });

  it('copies and runs what a stage and those below it say', () => {
    const build = building(`FROM debian AS base
WORKDIR /build
ENV WHO=us
FROM base AS first
COPY a.txt ./
COPY src src
RUN cat a.txt src/b.txt > both.txt && echo "$WHO" >> both.txt
FROM base AS last
COPY --from=first /build/both.txt both.txt
COPY --from=first /build/src ./`);
    const { root, workdir, env } = build('last');
    expect([workdir, env.get('WHO')]).toEqual(['/build', 'us']);
    expect(readFileSync(join(root, 'build/both.txt'), 'utf8')).toBe('abus\n');
    expect(readdirSync(join(root, 'build'), { recursive: true }).sort()).toEqual([
      'b.txt',
      'both.txt',
      'deep',
      'deep/c.txt',
    ]);
  });

  it('says what it left out: system steps, and files of images it has not', () => {
    const { leftOut } = building(
      'FROM node AS node\nFROM debian AS all\nCOPY --from=node /usr/local/bin/node /usr/local/bin/node\n# system\nRUN apt-get update',
    )('all');
    expect(leftOut).toEqual(['node: /usr/local/bin/node', 'apt-get update']);
  });

  it.each([
    ['a path that is not there', 'COPY missing.txt ./', 'missing.txt'],
    ['a path .dockerignore leaves out', 'COPY src/secret.txt ./', '.dockerignore leaves it out'],
    ['a file no stage made', 'COPY --from=base /made.txt ./', 'made.txt'],
    [
      'a command that fails',
      'RUN echo why; exit 3',
      'line 4 of the Dockerfile failed: echo why; exit 3\nwhy',
    ],
  ])('fails for %s', (_, instruction, message) => {
    expect(() =>
      building(`FROM debian AS base\nWORKDIR /\nFROM debian AS next\n${instruction}`)('next'),
    ).toThrow(message);
  });
});
