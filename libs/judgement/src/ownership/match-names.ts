/** What a match expression names (ovn-sb(5), Logical_Flow.match). */
interface MatchNames {
  /** `@name` */
  readonly portGroups: readonly string[];
  /** `$name` */
  readonly addressSets: readonly string[];
  /** In quotes: inport, outport and is_chassis_resident() take port names so. */
  readonly quoted: readonly string[];
}

const isNameCode = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  (code >= 48 && code <= 57) ||
  code === 95 ||
  code === 46;

/**
 * Reads the names out of a match in one pass. It does not judge the expression: what it cannot read
 * it passes over, and a name in a comment counts, for a name too many only keeps a row.
 */
export function namesInMatch(match: string): MatchNames {
  const portGroups: string[] = [];
  const addressSets: string[] = [];
  const quoted: string[] = [];
  for (let at = 0; at < match.length;) {
    const char = match[at];
    if (char === '"') {
      const end = endOfQuote(match, at + 1);
      const text = match.slice(at + 1, end);
      quoted.push(text.includes('\\') ? text.replace(/\\(.)/gs, '$1') : text);
      at = end + 1;
    } else if (char === '@' || char === '$') {
      let end = at + 1;
      while (end < match.length && isNameCode(match.charCodeAt(end))) end++;
      if (end > at + 1) (char === '@' ? portGroups : addressSets).push(match.slice(at + 1, end));
      at = end;
    } else at++;
  }
  return { portGroups, addressSets, quoted };
}

/** The closing quote, or the end of the text when it is missing. */
function endOfQuote(match: string, from: number): number {
  for (let at = from; at < match.length; at++) {
    if (match[at] === '\\') at++;
    else if (match[at] === '"') return at;
  }
  return match.length;
}
