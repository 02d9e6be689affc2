import { Option } from 'commander';

/**
 * The forms that every list has. `wide` is a table with more columns; `ndjson` is one item a line.
 */
export const LIST_FORMS = ['table', 'wide', 'json', 'ndjson', 'yaml', 'markdown'] as const;
export type ListForm = (typeof LIST_FORMS)[number];

const formOption = (forms: readonly string[]): Option =>
  new Option('-o, --output <form>', 'how to list').choices(forms).default('table');

/** The option `-o, --output` of a list. */
export const outputOption = (): Option => formOption(LIST_FORMS);

/** The same of a list that once had a form `text`: that is its table. */
export function outputOptionWithText(): Option {
  const option = formOption([...LIST_FORMS, 'text']);
  const chosen = option.parseArg!;
  return option.argParser((text) => {
    const form = chosen(text, undefined);
    return form === 'text' ? 'table' : form;
  });
}

/** Whether a form is for reading on a terminal, so that it may be paged. */
export const isForPeople = (form: string): boolean => form === 'table' || form === 'wide';
