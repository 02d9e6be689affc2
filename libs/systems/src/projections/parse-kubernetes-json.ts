/** Integers beyond 2^53 have at least 16 digits. */
const BIG = 16;
/**
 * A string may be cut off at the end of the text: else each quote in it would be tried as the
 * beginning of one, and a large one cost the square of its length.
 */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;
const INTEGER = /^-?\d{16,}$/;

/**
 * Whether any digits follow each other that far. Such a run covers a multiple of its length, so
 * looking there is enough.
 */
function holdsLongRun(text: string): boolean {
  for (let at = BIG - 1; at < text.length; at += BIG) {
    if (isDigit(text, at) && runAround(text, at) >= BIG) return true;
  }
  return false;
}

const isDigit = (text: string, at: number): boolean =>
  text.charCodeAt(at) >= 0x30 && text.charCodeAt(at) <= 0x39;

function runAround(text: string, at: number): number {
  let first = at;
  let end = at + 1;
  while (isDigit(text, first - 1)) first--;
  while (isDigit(text, end)) end++;
  return end - first;
}

const isBig = (token: string): boolean =>
  INTEGER.test(token) && !Number.isSafeInteger(Number(token));

/**
 * JSON.parse, but integers that a double cannot hold become strings of digits: Kube-OVN counts the
 * free addresses of an IPv6 subnet exactly (kube-ovn.md §6.5), and a rounded count is a wrong one.
 *
 * @throws SyntaxError as JSON.parse does.
 */
export function parseKubernetesJson(text: string): unknown {
  // Most texts have no such integer, and then JSON.parse does it all.
  if (!holdsLongRun(text)) return JSON.parse(text);
  return JSON.parse(
    text.replace(STRING_OR_NUMBER, (token) => (isBig(token) ? `"${token}"` : token)),
  );
}
