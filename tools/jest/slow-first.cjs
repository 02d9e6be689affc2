const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * Tests that take minutes, or half of one where nothing waits, the longest first: begun last, they
 * would keep one core busy while the others have nothing left to do.
 */
const SLOW = [
  'e2e/faults.int.test.ts',
  'e2e/executors.int.test.ts',
  'src/uninstall.int.test.ts',
  'tools/images/images.int.test.ts',
  'src/doctor.int.test.ts',
  'log/kafka-stall.int.test.ts',
  'prove/prover.int.test.ts',
  'e2e/consumers.int.test.ts',
  'e2e/score.int.test.ts',
  'e2e/upgrade.int.test.ts',
  'src/plan-apply.int.test.ts',
  'e2e/notifier.int.test.ts',
  'e2e/dashboards.int.test.ts',
  'src/guard-install-rights.int.test.ts',
  'src/enforce.int.test.ts',
  'e2e/drained.int.test.ts',
  'actions/northbound-actions.int.test.ts',
  'tools/chart/settings.int.test.ts',
  'e2e/command-line.int.test.ts',
  'e2e/incidents.int.test.ts',
  'log/kafka-log.int.test.ts',
  'e2e/services.int.test.ts',
  'src/live.int.test.ts',
  'src/enforce-run.int.test.ts',
  'e2e/rights.int.test.ts',
  'e2e/upgrade-rolled.int.test.ts',
  'src/guard-rights.int.test.ts',
  'actions/kubernetes-actions.int.test.ts',
  // Unit tests.
  'prove/prover.test.ts',
  'src/restore.property.test.ts',
  'src/run-service.test.ts',
  'src/decisions.test.ts',
  'engine/incremental.test.ts',
  'collect/collect-into-log.property.test.ts',
];

const rank = ({ path }) => {
  const at = SLOW.findIndex((it) => path.endsWith(it));
  return at < 0 ? SLOW.length : at;
};

module.exports = class SlowFirst extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((one, other) => rank(one) - rank(other));
  }
};

module.exports.SLOW = SLOW;
