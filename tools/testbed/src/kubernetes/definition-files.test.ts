import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDefinitionFiles } from './definition-files';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'definitions-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const definition = (name: string): string =>
  `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: { name: ${name} }\n`;

test('reads the definitions of a file or of a folder, and nothing else of them', () => {
  writeFileSync(join(folder, 'b.yaml'), `---\n${definition('two')}---\nkind: ConfigMap\n`);
  writeFileSync(join(folder, 'a.yml'), `${definition('one')}---\n`);
  writeFileSync(join(folder, 'notes.txt'), definition('none'));
  const names = (path: string) => readDefinitionFiles(path).map((it) => it.metadata.name);
  expect(names(folder)).toEqual(['one', 'two']);
  expect(names(join(folder, 'b.yaml'))).toEqual(['two']);
});

test('says where there is none', () => {
  writeFileSync(join(folder, 'a.yaml'), 'kind: ConfigMap\n');
  expect(() => readDefinitionFiles(folder)).toThrow(/holds no CustomResourceDefinition/);
});
