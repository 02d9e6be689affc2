import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { INCIDENTS } from './incidents/registry';

const NOT_INCIDENTS = [
  'watched-incident.ts',
  'incident.ts',
  'registry.ts',
  'run-incident.ts',
  'stage.ts',
];

test('every incident of the folder is registered, by its name', () =>
  expect(INCIDENTS.map((it) => `${it.name}.ts`).sort()).toEqual(
    readdirSync(join(__dirname, 'incidents')).filter(
      (it) => it.endsWith('.ts') && !NOT_INCIDENTS.includes(it),
    ),
  ));

test('docs/incidents.md says of each what happens, what comes of it without and with ovn-steward, and by which command', () => {
  const page = readFileSync(join(__dirname, '..', 'docs', 'incidents.md'), 'utf8');
  const sections = page
    .split(/^## /m)
    .slice(1)
    .filter((it) => INCIDENTS.some(({ name }) => it.startsWith(`${name}\n`)));
  expect(sections.map((it) => it.split('\n')[0])).toEqual(INCIDENTS.map((it) => it.name));
  for (const [
    index,
    { happens, source, answer, command, unprotected, guarded },
  ] of INCIDENTS.entries()) {
    const section = sections[index]!;
    expect(section).toContain(`${happens} (${source}).`);
    expect(section).toContain(
      `| Without ovn-steward | With it: ${answer} |\n|---|---|\n${unprotected.map((it, n) => `| ${it} | ${guarded[n]} |\n`).join('')}`,
    );
    expect(section).toContain(`\`\`\`sh\n${command.split('; ').join('\n')}\n\`\`\``);
  }
});
