// What of the topics breaks who uses them: names, keys, partitions, settings, headers. The values
// are schemas of their own.
const { schemaBreaks } = require('./schema-breaks.cjs');

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

function messageBreaks(name, before, after) {
  if (after === undefined) return [`message ${name}: is no longer there`];
  const found = [];
  const fixed = {
    'another content type': (it) => it.contentType,
    'another kind of value': (it) => it.payload,
    'another key': (it) => it.bindings.kafka.key,
  };
  for (const [what, of] of Object.entries(fixed))
    if (!same(of(before), of(after))) found.push(`message ${name}: has ${what}`);
  for (const it of schemaBreaks(before.headers, after.headers, { writes: false }))
    found.push(`message ${name}: header ${it}`);
  return found;
}

function channelBreaks(name, before, after) {
  if (after === undefined) return [`topic ${name}: is no longer there`];
  const found = [];
  if (before.address !== after.address)
    found.push(`topic ${name}: is called ${after.address}, was ${before.address}`);
  const [was, is] = [before, after].map(({ bindings: { kafka } }) => kafka);
  if (was.partitions !== is.partitions)
    found.push(`topic ${name}: has ${is.partitions} partitions, had ${was.partitions}`);
  const settings = new Set([was, is].flatMap((it) => Object.keys(it.topicConfiguration)));
  for (const setting of settings)
    if (!same(was.topicConfiguration[setting], is.topicConfiguration[setting]))
      found.push(`topic ${name}: has another ${setting}`);
  for (const it of Object.keys(before.messages))
    if (after.messages[it] === undefined) found.push(`topic ${name}: no longer holds ${it}`);
  return found;
}

/** What in `after` breaks who relied on `before`, both AsyncAPI 3 as this repository writes it. */
module.exports.asyncApiBreaks = (before, after) => [
  ...Object.entries(before.channels).flatMap(([name, it]) =>
    channelBreaks(name, it, after.channels[name]),
  ),
  ...Object.entries(before.components.messages).flatMap(([name, it]) =>
    messageBreaks(name, it, after.components.messages[name]),
  ),
];
