// Golden samples both ways: a document of before is still accepted, and a document of now is what a
// reader of before was promised.
const Ajv2020 = require('ajv/dist/2020').default;

/** `finding.v1.confirmed.json` is a sample of `finding.v1.schema.json`. */
const schemaOf = (sample) => `${sample.split('.').slice(0, 2).join('.')}.schema.json`;

/** By the text of a schema: to compile one takes a hundred times what a check takes. */
const compiled = new Map();

/** Knows no schema by its `$id`: that of before has the same one, and none refers to another. */
const ajv = new Ajv2020({
  ...{ strict: false, allErrors: true, validateFormats: false },
  addUsedSchema: false,
});

function checkOf(schema) {
  const text = JSON.stringify(schema);
  if (!compiled.has(text)) compiled.set(text, ajv.compile(schema));
  return compiled.get(text);
}

function refused(samples, schemas, says) {
  return [...samples].flatMap(([file, document]) => {
    const schema = schemas.get(schemaOf(file));
    if (schema === undefined) return [];
    const check = checkOf(schema);
    if (check(document)) return [];
    return check.errors.map(
      ({ instancePath, message }) => `${file}: ${says}: ${instancePath} ${message}`,
    );
  });
}

/**
 * Whether `after` has all that `before` says; lists may not grow, since their order and number mean
 * something.
 */
function keeps(before, after) {
  if (Array.isArray(before))
    return (
      Array.isArray(after) &&
      after.length === before.length &&
      before.every((it, index) => keeps(it, after[index]))
    );
  if (typeof before !== 'object' || before === null) return before === after;
  return (
    typeof after === 'object' &&
    after !== null &&
    Object.entries(before).every(([name, it]) => keeps(it, after[name]))
  );
}

/** @param before, after each with `schemas` and `examples`, documents by file name. */
module.exports.sampleBreaks = (before, after) => [
  ...refused(before.examples, after.schemas, 'a document of before is refused now'),
  ...refused(after.examples, before.schemas, 'a reader of before refuses what is written now'),
  ...[...before.examples]
    .filter(
      ([file, document]) => after.examples.has(file) && !keeps(document, after.examples.get(file)),
    )
    .map(([file]) => `${file}: no longer says what it said`),
];
