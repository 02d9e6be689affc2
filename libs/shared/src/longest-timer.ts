/** The longest delay of a timer, in milliseconds; a longer one would fire at once. */
export const LONGEST_MS = 2 ** 31 - 1;
