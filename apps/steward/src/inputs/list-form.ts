import { Option } from 'commander';

/**
 * The forms that every list has. `wide` is a table with more columns; `ndjson` is one item a line.
 */
export const LIST_FORMS = ['table', 'wide', 'json', 'ndjson', 'yaml', 'markdown'] as const;
export type ListForm = (typeof LIST_FORMS)[number];

/** The option `-o, --output` of a list. `more`: further forms of that list. */
export const outputOption = (more: readonly string[] = []): Option =>
  new Option('-o, --output <form>', 'how to list')
    .choices([...LIST_FORMS, ...more])
    .default('table');

/** Whether a form is for reading on a terminal, so that it may be paged. */
export const isForPeople = (form: string): boolean => form === 'table' || form === 'wide';
