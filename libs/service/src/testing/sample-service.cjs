// A service for tests, in a process of its own: it works on a log that is only said to be one.
// SAMPLE_FAULT says what goes wrong.
const { setTimeout } = require('node:timers');
const { setTimeout: sleep } = require('node:timers/promises');
const { Controller, Get, Inject, Module } = require('@nestjs/common');
const { Failure } = require('@ovn-steward/shared/errors');
const {
  ServiceStatus,
  ServiceStatusReader,
} = require('@ovn-steward/service/health/service-status');
const { ApiAnswer, ApiSchemas, ApiSummary } = require('@ovn-steward/service/http/api');
const { runService } = require('@ovn-steward/service/run-service');
const { SHELL } = require('@ovn-steward/service/work/service');
const { serviceMetadata } = require('@ovn-steward/service/service.module');
const { z } = require('zod');

const fault = process.env.SAMPLE_FAULT ?? '';
const password = process.env.STEWARD_KAFKA__SASL__PASSWORD ?? '';
const untilAborted = (signal) =>
  new Promise((resolve) => {
    signal.aborted ? resolve() : signal.addEventListener('abort', resolve, { once: true });
  });

class SampleService {
  ready = false;

  constructor({ logger, settings }) {
    Object.assign(this, { logger, settings });
    if (fault === 'early') process.kill(process.pid, 'SIGTERM');
  }

  async work(signal, opened) {
    const { logger, settings } = this;
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
    this.ready = true;
    await untilAborted(signal);
    logger.info('finishing what is in hand');
    await sleep(300);
  }

  missing() {
    return this.ready ? [] : [{ what: 'log', detail: 'the partitions are not read yet' }];
  }
}
Inject(SHELL)(SampleService, undefined, 0);

// What decorators do, in a file that is not compiled.
class SampleController {
  constructor(status) {
    this.status = status;
  }

  read() {
    return { ...this.status.read(), partitions: [1, 2] };
  }
}
Inject(ServiceStatusReader)(SampleController, undefined, 0);
const Status = ServiceStatus.extend({ partitions: z.array(z.number()) });
for (const decorate of [Controller(), ApiSchemas({ Status })]) decorate(SampleController);
for (const decorate of [Get('status'), ApiSummary('The status.'), ApiAnswer(200, 'It.', 'Status')])
  decorate(
    SampleController.prototype,
    'read',
    Object.getOwnPropertyDescriptor(SampleController.prototype, 'read'),
  );

class SampleModule {}
Module(serviceMetadata(SampleService, { controllers: [SampleController] }))(SampleModule);

const identity = {
  name: 'sampler',
  command: 'steward-sampler',
  version: '1.2.3',
  description: 'samples.',
  listen: '127.0.0.1:0',
  ofOneCluster: true,
  metrics: [],
};
runService(identity, SampleModule).then((code) => process.exit(code));
