import { stringify } from 'yaml';
import type { ListForm } from '../inputs/list-form';
import { indentedJson } from '@ovn-steward/shared/indented-json';

/** How one list is printed. `none`: nothing is listed. */
export interface ListTexts {
  /** What `json` and `yaml` print. */
  readonly document: unknown;
  /** What `ndjson` prints, one a line. */
  readonly items: readonly unknown[];
  readonly table: () => string;
  readonly wide: () => string;
  readonly markdown: () => string;
}

/** A list in one form. */
export function listText(form: ListForm, list: ListTexts): string {
  switch (form) {
    case 'json':
      return indentedJson(list.document);
    case 'ndjson':
      return list.items.map((it) => `${JSON.stringify(it)}\n`).join('');
    case 'yaml':
      return stringify(list.document);
    case 'table':
    case 'wide':
    case 'markdown':
      return list[form]();
  }
}
