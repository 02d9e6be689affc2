// What of `contracts/promises.json` breaks a script, a dashboard or a configuration: exit codes,
// series, settings, codes.
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

function metricBreaks(process, before, after = {}) {
  return Object.entries(before).flatMap(([name, was]) => {
    const is = after[name];
    if (is === undefined) return [`metric ${name} of ${process}: is no longer there`];
    if (is.type !== was.type)
      return [`metric ${name} of ${process}: is a ${is.type}, was a ${was.type}`];
    // a label more splits what a query takes for one series
    return same([...is.labels].sort(), [...was.labels].sort())
      ? []
      : [`metric ${name} of ${process}: has the labels ${is.labels}, had ${was.labels}`];
  });
}

const gone = (what, before, after) =>
  before.filter((it) => !after.includes(it)).map((it) => `${what} ${it}: is no longer there`);

/** What in `after` breaks who relied on `before`. */
module.exports.promiseBreaks = (before, after) => [
  ...Object.entries(before.exitCodes)
    .filter(([name, code]) => after.exitCodes[name] !== code)
    .map(([name, code]) => `exit code ${name}: is ${after.exitCodes[name] ?? 'none'}, was ${code}`),
  ...Object.entries(before.metrics).flatMap(([process, metrics]) =>
    metricBreaks(process, metrics, after.metrics[process]),
  ),
  ...gone('setting', before.settings, after.settings),
  ...gone('action code', before.actionCodes, after.actionCodes),
];
