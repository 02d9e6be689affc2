/** Who reads `it` sees in the same or the next line what it is. */
const MOST_LINES = 2;

const LOOPS = new Set(['ForOfStatement', 'ForInStatement']);

/** Where a name holds: the function of a parameter, the loop of its variable; of others unknown. */
function holdsIn({ type, node, parent }) {
  if (type === 'Parameter') return node;
  const around = type === 'Variable' ? parent.parent : undefined;
  return LOOPS.has(around?.type) && around.left === parent ? around : undefined;
}

const linesOf = ({ loc }) => loc.end.line - loc.start.line + 1;

const isShort = (place) => place !== undefined && linesOf(place) <= MOST_LINES;

/** Values have names; `it` stays for callbacks and loops that fit on a line or two. */
module.exports = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: {
      named: 'Name it after what it is: `it` stays for callbacks and loops of one or two lines.',
    },
  },
  create: ({ sourceCode, report }) => ({
    'Program:exit'() {
      const names = sourceCode.scopeManager.scopes
        .flatMap(({ variables }) => variables.filter(({ name }) => name === 'it'))
        .flatMap(({ defs }) => defs);
      for (const definition of names) {
        if (definition.type === 'ImportBinding' || isShort(holdsIn(definition))) continue; // jest's `it`
        report({ node: definition.name, messageId: 'named' });
      }
    },
  }),
};
