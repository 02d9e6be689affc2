// A plugin of Stryker: leaves alone what only people read. The page docs/mutation.md says so.

const LOGS = /^(log|logger)$/;
const LEVELS = /^(trace|debug|info|warn|error)$/;

const isProse = (text) => /\S\s+\S/.test(text);

/** `logger.warn(…)`, `this.logger.warn(…)`: what is written to the log, and decides nothing. */
function isLogging({ type, callee }) {
  if (type !== 'CallExpression' || callee.type !== 'MemberExpression') return false;
  const { object, property } = callee;
  return LOGS.test(object.name ?? object.property?.name ?? '') && LEVELS.test(property.name ?? '');
}

/** Why a node is left alone, or undefined. */
function reason(node) {
  if (node.type === 'StringLiteral' && isProse(node.value)) return 'a text for people';
  if (
    node.type === 'TemplateLiteral' &&
    node.quasis.some(({ value }) => isProse(value.cooked ?? ''))
  )
    return 'a text for people';
  return isLogging(node) ? 'a line of the log' : undefined;
}

// Named one by one: Stryker imports them, and finds only names it can read off the text.
const strykerPlugins = [
  { kind: 'Ignore', name: 'texts', value: { shouldIgnore: ({ node }) => reason(node) } },
];

module.exports = { reason, strykerPlugins };
