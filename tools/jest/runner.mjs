// Runs test files in bare Node, many in one process, so that a module is loaded once for all of
// them: with jest's own runner, which loads every module anew for each file, the tests of the rules
// took three times as long. What a test changes in its process it has to put back.
import { createRunner } from 'jest-light-runner';
import { PoolsWithOwnChannels } from './own-channels.cjs';

// Parts of this repository find each other's TypeScript, not what was built of it. worker.mjs takes
// it away again.
process.env.NODE_OPTIONS = [process.env.NODE_OPTIONS, '--conditions=@ovn-steward/source']
  .filter(Boolean)
  .join(' ');

class ProcessRunner extends createRunner({ runtime: 'child_process' }) {
  constructor(...given) {
    super(...given);
    // With one worker it would run them in jest's own process, which lacks the condition.
    this._runtime = 'child_process';
    this._testRunners = new PoolsWithOwnChannels(this._globalConfig, this._runtime);
  }
}

/**
 * How many files more than `maxWorkers` run at once, by project. Unit tests wait more than half of
 * their time; beside tests of real servers everybody waits.
 */
const MORE = { unit: 2 };

const projectOf = ({ context }) => context.config.displayName.name;
const moreFor = (project) => MORE[project] ?? 0;

/** Runs the files of one project after those of the other. */
export default class ProjectsRunner {
  constructor(globalConfig, context) {
    this._globalConfig = globalConfig;
    this._context = context;
  }

  async runTests(tests, ...rest) {
    const projects = [...new Set(tests.map(projectOf))];
    for (const project of projects.sort((one, other) => moreFor(other) - moreFor(one))) {
      const files = tests.filter((it) => projectOf(it) === project);
      const maxWorkers = Math.min(this._globalConfig.maxWorkers + moreFor(project), files.length);
      const runner = new ProcessRunner({ ...this._globalConfig, maxWorkers }, this._context);
      await runner.runTests(files, ...rest);
    }
  }
}
