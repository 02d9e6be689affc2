/**
 * Text from a database or a cluster, made safe to print: control characters (terminal escapes among them), line breaks and
 * characters that turn the direction of writing round are shown as escapes, and nothing is longer than a person would read.
 */
export function safeText(text: string, most = 300): string {
  const shown = text.replace(
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g,
    (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return shown.length > most ? `${shown.slice(0, most - 1)}…` : shown;
}
