import { Option } from 'commander';
import { stringify } from 'yaml';

/** The forms that every list has. `wide` is a table with more columns; `ndjson` is one item a line. */
export const LIST_FORMS = ['table', 'wide', 'json', 'ndjson', 'yaml', 'markdown'] as const;
export type ListForm = (typeof LIST_FORMS)[number];

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

/** The option `-o, --output` of a list. `more`: further forms of that list. */
export const outputOption = (more: readonly string[] = []): Option =>
  new Option('-o, --output <form>', 'how to list')
    .choices([...LIST_FORMS, ...more])
    .default('table');

/** A list in one form. */
export function listText(form: ListForm, list: ListTexts): string {
  switch (form) {
    case 'json':
      return `${JSON.stringify(list.document, null, 2)}\n`;
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

/** Whether a form is for reading on a terminal, so that it may be paged. */
export const isForPeople = (form: string): boolean => form === 'table' || form === 'wide';
