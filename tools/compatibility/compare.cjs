// Compares what the contracts promise now with what they promised, all of it.
const { asyncApiBreaks } = require('./asyncapi-breaks.cjs');
const { openApiBreaks } = require('./openapi-breaks.cjs');
const { promiseBreaks } = require('./promise-breaks.cjs');
const { sampleBreaks } = require('./sample-breaks.cjs');
const { schemaBreaks } = require('./schema-breaks.cjs');

const each = (kind, before, after, breaksOf) =>
  [...before].flatMap(([file, was]) => {
    const now = after.get(file);
    if (now === undefined) return [`${kind}/${file}: is no longer there`];
    return breaksOf(was, now).map((broken) => `${kind}/${file}: ${broken}`);
  });

/** What in `after` breaks who relied on `before` (`readContracts`), a line each. */
module.exports.compareContracts = (before, after) => [
  ...each('schemas', before.schemas, after.schemas, (was, is) => schemaBreaks(was, is)),
  ...each('http', before.openApis, after.openApis, openApiBreaks),
  ...asyncApiBreaks(before.asyncApi, after.asyncApi).map((it) => `asyncapi.json: ${it}`),
  ...promiseBreaks(before.promises, after.promises).map((it) => `promises.json: ${it}`),
  ...sampleBreaks(before, after).map((it) => `examples/${it}`),
];
