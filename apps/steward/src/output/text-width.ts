import stringWidth from 'fast-string-width';

/** How many columns of a terminal a text takes, without its colours: two for `网`, none for U+0301. */
export const widthOf = (text: string): number => stringWidth(text);

/** `padEnd`, by the columns that a terminal shows. */
export const padded = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(width - widthOf(text), 0));
