/**
 * An end of a line, with the blanks around it: `\r\n` and the like, and those of Unicode (UAX #14,
 * class BK).
 */
const LINE_END = /[ \t]*[\n\r\u000b\u000c\u0085\u2028\u2029][\s\u0085]*/g;

/**
 * Text from a database or a cluster, made safe to print: on one line, since a line of its own could
 * pass for one of ours. A line end becomes a space, as a person would read it on; other control
 * characters (terminal escapes among them) and characters that turn the direction of writing round
 * are shown as escapes. Nothing is longer than a person would read.
 */
export function safeText(text: string, most = 300): string {
  const shown = text
    .replace(LINE_END, (found, at: number) =>
      at === 0 || at + found.length === text.length ? '' : ' ',
    )
    .replace(
      /[\u0000-\u001f\u007f-\u009f\ufeff\p{Bidi_Control}]/gu,
      (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
  if (shown.length <= most) return shown;
  // The first half of a pair of UTF-16 alone is no character.
  return `${shown.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
