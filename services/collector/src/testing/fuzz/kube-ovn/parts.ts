import type { Controller, Job, Parts } from './controller';
import { collectIps, collectPorts, initialize } from './collection';
import { ips } from './ips';
import { inspect, pods } from './pods';

function* collect(controller: Controller): Job {
  yield* collectIps(controller);
}

/** All of the controller that is played. */
export const PARTS: Parts = {
  handlers: { Pod: pods, IP: ips },
  rounds: [
    { everyMs: 20_000, job: inspect },
    { everyMs: 360_000, job: collectPorts },
  ],
  initialize,
  collect,
};
