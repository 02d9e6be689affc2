const TYPE = 'dev.ovn-steward.finding.v1';

/** Nothing of another system may steer a terminal. */
const plain = (text) => text.replace(/\p{Cc}/gu, ' ');

/**
 * What a record of the findings topic says, in one line; undefined for what is no finding of a
 * version we know: a tombstone, or a document of another type. The contract is
 * docs/findings-contract.md.
 */
module.exports.findingLine = function (value) {
  if (value === null) return undefined;
  const { type, time, data } = JSON.parse(value.toString());
  if (type !== TYPE) return undefined;
  return plain(
    `${time.slice(11, 19)} ${data.state.padEnd(9)} ${data.severity.padEnd(8)} ${data.id.slice(0, 10)} ${data.rule}: ${data.summary}`,
  );
};
