/** Integers beyond 2^53 have at least 16 digits. Most texts have no such run, and then JSON.parse does it all. */
const MAYBE_BIG = /\d{16}/;
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;
const INTEGER = /^-?\d{16,}$/;

const isBig = (token: string): boolean => INTEGER.test(token) && !Number.isSafeInteger(Number(token));

/**
 * JSON.parse, but integers that a double cannot hold become strings of digits: Kube-OVN counts the free addresses of an IPv6
 * subnet exactly (kube-ovn.md §6.5), and a rounded count is a wrong one.
 *
 * @throws SyntaxError as JSON.parse does.
 */
export function parseKubernetesJson(text: string): unknown {
  if (!MAYBE_BIG.test(text)) return JSON.parse(text);
  return JSON.parse(text.replace(STRING_OR_NUMBER, (token) => (isBig(token) ? `"${token}"` : token)));
}
