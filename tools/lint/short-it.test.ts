import { createRequire } from 'node:module';
import { RuleTester, type Rule } from 'eslint';
import tseslint from 'typescript-eslint';

const shortIt = createRequire(__filename)('./short-it.cjs') as Rule.RuleModule;

const errors = [{ messageId: 'named' }];
const languageOptions = { parser: tseslint.parser };

new RuleTester({ languageOptions }).run('short-it', shortIt, {
  valid: [
    'rows.map((it) => it.name);',
    'rows.map(\n  (it) =>\n    it.name,\n);',
    'rows.map(function (it) { return it.name; });',
    'for (const it of rows) seen.add(it);',
    'for (const it of rows)\n  seen.add(it);',
    'for (const it in rows) seen.add(it);',
    'const check: (it: Row) => boolean = isOurs;',
    "it('is a test', () => {\n  begin();\n\n  end();\n});",
    "import { it } from '@jest/globals';\n\nit('is a test', () => {\n  end();\n});",
    'rows.map((row) => {\n  const { it: named } = row;\n  return named;\n});',
  ],
  invalid: [
    { code: 'rows.map((it) => {\n  return it.name;\n});', errors },
    { code: 'rows.map((it) => ({\n  name: it.name,\n}));', errors },
    { code: 'rows.map(\n  (it) =>\n    it.name !== "" &&\n    it.name !== "_",\n);', errors },
    { code: 'rows.map(({ it }) => {\n  return it.name;\n});', errors },
    { code: 'rows.map((_, it = 0) => {\n  return it;\n});', errors },
    { code: 'function nameOf(it: Row): string {\n  return it.name;\n}', errors },
    { code: 'class Rows {\n  add(it: Row): void {\n    this.rows.add(it);\n  }\n}', errors },
    { code: 'for (const it of rows) {\n  seen.add(it);\n}', errors },
    { code: 'for (const [, it] of rows) {\n  seen.add(it);\n}', errors },
    { code: 'for (const it in rows) {\n  seen.add(it);\n}', errors },
    { code: 'const it = rows[0];', errors },
    { code: 'const { it } = rows[0];', errors },
    { code: 'for (let it = 0; it < 9; it++) seen.add(it);', errors },
    { code: 'for (const row of rows) for (var it of row) {\n  seen.add(it);\n}', errors },
    { code: 'try {\n  begin();\n} catch (it) {\n  end(it);\n}', errors },
    { code: 'rows.map((it) => {\n  return it.cells.map((it) => it.name);\n});', errors },
  ],
});
