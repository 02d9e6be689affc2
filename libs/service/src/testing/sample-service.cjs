// A service for tests, in a process of its own: it works on a log that is only said to be one. What it does wrong is told by SAMPLE_FAULT.
const { setTimeout } = require('node:timers');
const { setTimeout: sleep } = require('node:timers/promises');
const { Failure } = require('@ovn-steward/shared/errors');
const { runService } = require('@ovn-steward/service/run-service');
const { z } = require('zod');

const fault = process.env.SAMPLE_FAULT ?? '';
const password = process.env.STEWARD_KAFKA__SASL__PASSWORD ?? '';
const untilAborted = (signal) =>
  new Promise((resolve) => {
    signal.aborted ? resolve() : signal.addEventListener('abort', resolve, { once: true });
  });

function sample({ logger, settings }) {
  if (fault === 'early') process.kill(process.pid, 'SIGTERM');
  let ready = false;
  return {
    async work(signal, opened) {
      opened('state', () => undefined);
      if (fault === 'drift')
        throw new Failure('log-topic-drift', 'The topic t has 3 partitions, not 12: remove it');
      if (fault === 'secret')
        throw Object.assign(new Error(`login of ${password} refused`), { password, settings });
      opened('log', () => (fault === 'hang' ? new Promise(() => undefined) : undefined));
      if (fault === 'bug')
        setTimeout(() => {
          throw new TypeError('nobody caught this');
        }, 50);
      if (fault === 'leak')
        setTimeout(() => {
          throw new Error(`login of ${password} refused`);
        }, 50);
      if (fault === 'settings') logger.info('settings', { settings, password });
      await sleep(100);
      ready = true;
      await untilAborted(signal);
      logger.info('finishing what is in hand');
      await sleep(300);
    },
    missing: () => (ready ? [] : [{ what: 'log', detail: 'the partitions are not read yet' }]),
    status: () => ({ partitions: [1, 2] }),
    statusSchema: z.object({ partitions: z.array(z.number()) }),
  };
}

const identity = {
  name: 'sampler',
  command: 'steward-sampler',
  version: '1.2.3',
  says: 'samples.',
  listen: '127.0.0.1:0',
  ofOneCluster: true,
  metrics: [],
};
runService(identity, sample).then((code) => process.exit(code));
