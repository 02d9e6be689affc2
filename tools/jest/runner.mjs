// Runs test files in bare Node, many in one process, so that a module is loaded once for all of
// them: with jest's own runner, which loads every module anew for each file, the tests of the rules
// took three times as long. What a test changes in its process it has to put back.
import { createRunner } from 'jest-light-runner';

// Parts of this repository find each other's TypeScript, not what was built of it. worker.mjs takes
// it away again.
process.env.NODE_OPTIONS = [process.env.NODE_OPTIONS, '--conditions=@ovn-steward/source']
  .filter(Boolean)
  .join(' ');

export default class BareRunner extends createRunner({ runtime: 'child_process' }) {
  constructor(...given) {
    super(...given);
    // With one worker it would run them in jest's own process, which lacks the condition.
    this._runtime = 'child_process';
  }
}
