import { chassis, chassisReport, databasePair, readyNode, row } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './silent-chassis';

const report = (host: string, nb_cfg?: number, minutes = 60) =>
  nb_cfg === undefined
    ? row('Chassis_Private', `chassis-of-${host}`)
    : chassisReport(host, nb_cfg, minutes);
const both = databasePair();
const nodes = ['worker-1', 'worker-2', 'worker-3'].flatMap((it) => [chassis(it), readyNode(it)]);
const others = [report('worker-2', 9), report('worker-3', 9)];

testRule(rule, {
  healthy: {
    'it follows': world(...both, ...nodes, ...others, report('worker-1', 9)),
    'it lacks the last one': world(...both, ...nodes, ...others, report('worker-1', 8, 0)),
    'it lacks two of a moment ago': world(...both, ...nodes, ...others, report('worker-1', 7, 55)),
    'it never reported': world(...both, ...nodes, ...others, report('worker-1')),
    'nobody raises it': world(...both, ...nodes, report('worker-1'), report('worker-2')),
    'as many are behind as are not': world(
      ...both,
      ...nodes,
      report('worker-2', 9),
      report('worker-1', 5, 0),
    ),
    'its node is not ready': world(
      ...both,
      ...others,
      report('worker-1', 5, 0),
      chassis(),
      readyNode('worker-1', { status: {} }),
    ),
    'its node is gone': world(...both, ...others, report('worker-1', 5, 0), chassis()),
    'it has no chassis': world(...both, ...others, report('worker-1', 5, 0), readyNode()),
  },
  unknown: {
    'the Southbound is that of another network': world(
      ...databasePair({}),
      ...nodes,
      ...others,
      report('worker-1', 5, 0),
    ),
  },
  violation: {
    'it stopped an hour ago': {
      given: world(...both, ...nodes, ...others, report('worker-1', 5, 0)),
      summary:
        'the chassis of Node worker-1 lacks 4 configurations that most others have; its last report is 60 minutes older than theirs',
      concerns: ['chassis-of-worker-1', 'worker-1'],
    },
  },
});
