import { RULES } from '@ovn-steward/judgement/rules/registry';
import { meaningOf } from '@ovn-steward/shared/settings/setting-meanings';
import { z } from 'zod';
import { Values } from './values';

/** As much of JSON Schema as the schema of values uses. */
export interface Schema {
  type?: string;
  description?: string;
  default?: unknown;
  enum?: readonly string[];
  properties?: Record<string, Schema>;
  propertyNames?: Schema;
  [keyword: string]: unknown;
}

/**
 * values.schema.json of the chart: what Helm holds values to before it renders anything. Draft 7,
 * which every Helm 3 reads. Names of rules are those there are; what a pattern cannot say (the
 * order of a freeze’s ends, what one setting asks of another) is refused when a process starts.
 */
export function valuesSchema(): Schema {
  const schema = z.toJSONSchema(Values, { io: 'input', target: 'draft-7' }) as Schema;
  const settings = schema.properties!['settings']!;
  delete settings.default;
  describe(settings, '');
  const { properties: executor } = settings.properties!['executor']!;
  for (const byRule of ['rules', 'approvers'])
    executor![byRule]!.propertyNames = { enum: RULES.map(({ id }) => id) };
  return { ...schema, title: 'Values of the chart ovn-steward' };
}

/**
 * Says of each setting what docs/settings.md says of it. Defaults of sections are only a detail of
 * how they are read.
 */
function describe(section: Schema, path: string): void {
  for (const [name, child] of Object.entries(section.properties ?? {})) {
    const here = `${path}${name}`;
    if (child.properties !== undefined && !isLeaf(here)) {
      delete child.default;
      describe(child, `${here}.`);
    } else child.description = meaningOf(here);
  }
}

const isLeaf = (path: string): boolean => {
  try {
    return meaningOf(path) !== undefined;
  } catch {
    return false;
  }
};
