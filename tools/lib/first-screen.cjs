// What `npm start` ends with: what was found by rule, the worst first, and three commands to type
// next. Fits one screen.
const SEVERITIES = ['critical', 'warning', 'info'];
const MOST_RULES = 11;

/** The findings of each rule, the worst and then the most frequent first. */
function byRule(findings) {
  const rules = new Map();
  for (const it of findings) rules.set(it.rule, [...(rules.get(it.rule) ?? []), it]);
  const rank = ([{ severity }]) => SEVERITIES.indexOf(severity);
  return [...rules.values()].sort((a, b) => rank(a) - rank(b) || b.length - a.length);
}

const counted = (count, what) => `${count} ${what}${count === 1 ? '' : 's'}`;

const short = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

function line(found) {
  const [{ severity, rule, summary }] = found;
  return `  ${String(found.length).padStart(3)}  ${severity.padEnd(8)}  ${rule.padEnd(34)} ${short(summary, 90)}`;
}

/** @param findings that are open, as `steward findings --output json` gives them. */
module.exports.firstScreen = function (findings, { state, input }) {
  const rules = byRule(findings);
  const further = rules.slice(MOST_RULES);
  const example = rules.flat().find((it) => it.state === 'confirmed') ?? rules[0]?.[0];
  return `
${findings.length} findings of ${rules.length} rules, the worst first, each with an example:

${rules.slice(0, MOST_RULES).map(line).join('\n')}
${further.length > 0 ? `       and ${counted(further.flat().length, 'finding')} of ${counted(further.length, 'more rule')}\n` : ''}
That was a recorded cluster, and nothing was changed anywhere. Try next:

  npx steward explain ${example?.id.slice(0, 10) ?? '<id>'} --state-dir ${state}
  npx steward findings --state-dir ${state} -o wide
  npx steward audit ${input.join(' ')}

npx steward audit --help says how to point it at your own cluster, or at a backup of it.
`;
};
