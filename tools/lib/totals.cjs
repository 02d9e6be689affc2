/**
 * What jest counted, from its JSON report. A file that could not be run counts as one failed test:
 * none of its tests were tried.
 */
module.exports.totals = function ({
  numPassedTests,
  numFailedTests,
  numPendingTests,
  numTodoTests,
  testResults,
}) {
  const broken = testResults.filter(
    (it) => it.status === 'failed' && it.assertionResults.every((test) => test.status !== 'failed'),
  );
  return {
    passed: numPassedTests,
    failed: numFailedTests + broken.length,
    skipped: numPendingTests + numTodoTests,
  };
};

/** The line a test run ends with. */
module.exports.closingLine = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
