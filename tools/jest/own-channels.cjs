const QUESTION = 'jest-light-runner-get-worker-data';

/** Answers the question of one worker process for its data. */
function channelWith(workerData) {
  let answer = () => undefined;
  return {
    onMessage: (send) => {
      answer = send;
    },
    postMessage: (message) => {
      if (message === QUESTION) answer({ type: 'jest-light-runner-worker-data', workerData });
    },
  };
}

/**
 * The pools of a runner, by project, in which each test file is given a channel of its own.
 *
 * jest-light-runner 0.7 has one channel for all processes, and answers the first question of any of
 * them to every process that was given a file. One that does not listen yet misses the answer, asks
 * when nobody is left to be answered, and waits for ever.
 */
class PoolsWithOwnChannels extends Map {
  constructor(globalConfig, runtime) {
    super();
    this._ofAll = { globalConfig, runtime };
  }

  set(projectConfig, { pool }) {
    const workerData = { ...this._ofAll, projectConfig };
    const run = (test) => pool.run(test.path, { channel: channelWith(workerData) });
    return super.set(projectConfig, { pool, run });
  }
}

module.exports = { PoolsWithOwnChannels };
