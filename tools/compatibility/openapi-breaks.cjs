// What of HTTP breaks who asks: routes, parameters, what is answered.
const { schemaBreaks } = require('./schema-breaks.cjs');

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

function parameterBreaks(before, after, roots) {
  const named = (it) => `${it.in} parameter ${it.name}`;
  const [were, are] = [before, after].map(
    ({ parameters = [] }) => new Map(parameters.map((it) => [named(it), it])),
  );
  const found = [];
  for (const [name, was] of were) {
    const now = are.get(name);
    if (now === undefined) found.push(`${name}: is no longer there`);
    else
      for (const broken of schemaBreaks(was.schema, now.schema, { reads: false, roots }))
        found.push(`${name}: ${broken}`);
  }
  for (const [name, it] of are)
    if (it.required && !were.get(name)?.required) found.push(`${name}: is demanded now`);
  return found;
}

function responseBreaks(before, after, roots) {
  return Object.entries(before.responses).flatMap(([status, { content = {} }]) => {
    const now = after.responses[status];
    if (now === undefined) return [`no longer answers ${status}`];
    return Object.entries(content).flatMap(([type, { schema }]) => {
      const media = now.content?.[type];
      if (media === undefined) return [`${status}: no longer answers ${type}`];
      if (schema === undefined) return [];
      return schemaBreaks(schema, media.schema ?? {}, { writes: false, roots }).map(
        (it) => `${status}: ${it}`,
      );
    });
  });
}

/** What in `after` breaks who relied on `before`, both OpenAPI 3.1. */
module.exports.openApiBreaks = (before, after) =>
  Object.entries(before.paths).flatMap(([path, methods]) =>
    METHODS.filter((it) => methods[it] !== undefined).flatMap((method) => {
      const route = `${method.toUpperCase()} ${path}`;
      const now = after.paths[path]?.[method];
      if (now === undefined) return [`${route}: is no longer there`];
      const roots = [before, after];
      return [
        ...parameterBreaks(methods[method], now, roots),
        ...responseBreaks(methods[method], now, roots),
      ].map((it) => `${route}: ${it}`);
    }),
  );
