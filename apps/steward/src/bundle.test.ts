import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const BUNDLE = join(__dirname, '../dist/bundle');
const FILES = readdirSync(BUNDLE);
const textOf = (file: string): string => readFileSync(join(BUNDLE, file), 'utf8');

/** The files that are loaded with one. */
function loadedWith(file: string): Set<string> {
  const loaded = new Set([file]);
  for (const chunk of loaded)
    for (const [, next] of textOf(chunk).matchAll(/\b(?:from|import) ?"\.\/([^"]+)"/g))
      loaded.add(next!);
  return loaded;
}

/** The modules in files of the bundle, by their paths. */
const modulesIn = (files: Iterable<string>): string[] =>
  [...files].flatMap((it) => (JSON.parse(textOf(`${it}.map`)) as { sources: string[] }).sources);

test('a command that reads findings loads nothing that acts, serves or speaks to Kafka', () => {
  const modules = modulesIn(loadedWith(FILES.find((it) => /^findings-.*\.mjs$/.test(it))!));
  expect(modules.some((it) => it.endsWith('/commands/findings.ts'))).toBe(true);
  expect(
    modules.filter((it) => /\/executor\/src\/(?:work|prove|undo)\/|kafkajs|@nestjs/.test(it)),
  ).toEqual([]);
});

test('the version needs the command parser, and no command', () => {
  const modules = modulesIn(loadedWith('main.mjs'));
  expect(modules.filter((it) => it.includes('/commands/'))).toEqual([]);
  expect(modules.filter((it) => /\/(?:judgement|zod)\//.test(it))).toEqual([]);
});

test('the terms of each bundled package lie beside the bundle', () => {
  const bundled = modulesIn(FILES.filter((it) => it.endsWith('.mjs'))).flatMap(
    (it) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(it)?.[1] ?? [],
  );
  expect(bundled).toEqual(expect.arrayContaining(['commander', 'zod', 'kafkajs', '@nestjs/core']));
  const terms = textOf('licenses.txt');
  expect([...new Set(bundled)].filter((it) => !new RegExp(`^${it} `, 'm').test(terms))).toEqual([]);
});
