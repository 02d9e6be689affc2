/** HTML or SVG that may be written as it is. */
export class Markup {
  constructor(readonly text: string) {}
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Text that stands between tags or in a quoted attribute, and cannot leave it (HTML Living
 * Standard, section 13.3).
 */
const escaped = (text: string): string => text.replace(/[&<>"']/g, (it) => ENTITIES[it]!);

type Part = string | number | Markup | readonly Markup[];

/**
 * A template of HTML (not called `html`: Prettier would lay the pieces out again, and close their
 * tags) in which everything put in is escaped, but for markup. Attributes must be quoted.
 */
export const markup = (fixed: TemplateStringsArray, ...parts: readonly Part[]): Markup =>
  new Markup(fixed.reduce((text, it, at) => text + written(parts[at - 1]!) + it));

const written = (part: Part): string => {
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map((it) => it.text).join('');
  return escaped(String(part));
};
