/** More files than these failing at once is no accident of a busy machine. */
const MOST = 3;

const failedTests = ({ assertionResults }) =>
  assertionResults.filter((test) => test.status === 'failed').map((test) => test.fullName);

/**
 * The test files worth running once more by themselves: all that failed, when all of them run real
 * servers, whose sessions end and whose groups divide again on a machine that stalls, and they are
 * few. A test of our code alone gets no second try.
 */
module.exports.rerunnable = function ({ testResults }) {
  const failed = testResults.filter((it) => it.status === 'failed').map((it) => it.name);
  return failed.length <= MOST && failed.every((name) => name.endsWith('.int.test.ts'))
    ? failed
    : [];
};

const COUNTS = ['numPassedTests', 'numFailedTests', 'numPendingTests', 'numTodoTests'];
const STATUS = {
  passed: 'numPassedTests',
  failed: 'numFailedTests',
  pending: 'numPendingTests',
  todo: 'numTodoTests',
};

/**
 * The report in which what was run again stands as it ended the second time. A file the second run
 * lost stays as it was.
 */
module.exports.afterRerun = function (first, second) {
  const again = new Map(second.testResults.map((it) => [it.name, it]));
  const counts = Object.fromEntries(COUNTS.map((it) => [it, first[it] + second[it]]));
  for (const it of first.testResults.filter(({ name }) => again.has(name)))
    for (const { status } of it.assertionResults) counts[STATUS[status]] -= 1;
  return {
    ...first,
    ...counts,
    testResults: first.testResults.map((it) => again.get(it.name) ?? it),
  };
};

/**
 * The tests that failed beside the others and passed alone, a line each, or the file when it could
 * not even be run.
 */
module.exports.unsteady = function (first, second) {
  const passed = new Set(
    second.testResults.filter((it) => it.status === 'passed').map((it) => it.name),
  );
  return first.testResults
    .filter((it) => it.status === 'failed' && passed.has(it.name))
    .flatMap((file) =>
      (failedTests(file).length > 0 ? failedTests(file) : ['(the file)']).map(
        (test) => `${file.name}: ${test}`,
      ),
    );
};
