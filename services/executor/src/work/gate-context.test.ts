import { Settings } from '@ovn-steward/shared/settings/settings';
import { NOTHING_DECIDED } from '../control/control-state';
import { openStateFile } from '@ovn-steward/shared/log/state-file';
import { Ledger } from '../ledger/ledger';
import { recordedProposals } from '../testing/acting';
import { recordedSystems } from '../testing/recorded-systems';
import { gateContexts } from './gate-context';

const never = new AbortController().signal;
const START = Date.parse('2026-11-21T12:00:00Z');

test('nothing is removed for a minute after the Northbound was connected to again', async () => {
  const systems = await recordedSystems('clean');
  let seconds = 0;
  const contexts = gateContexts({
    cluster: 'c',
    systems,
    ledger: new Ledger(openStateFile(':memory:')),
    settings: Settings.parse({ executor: { yield: { afterLease: '0s' } } }).executor,
    controller: async () => undefined,
    clock: () => new Date(START + seconds * 1000),
  });
  const waits = async (): Promise<number | undefined> => {
    const { now, yielding } = await contexts.of([], NOTHING_DECIDED, never);
    return yielding && (yielding.until - now) / 1000;
  };
  expect([await waits(), await waits()]).toEqual([undefined, undefined]);
  systems.northbound.disconnect();
  expect(await waits()).toBe(60);
  seconds = 59;
  expect(await waits()).toBe(1);
  seconds = 60;
  expect(await waits()).toBeUndefined();
});

test('what was removed within the last hour counts against the ceilings, what was before does not', async () => {
  const requested: (readonly [string, number])[] = [];
  const ledger = new Ledger(openStateFile(':memory:'));
  const contexts = gateContexts({
    cluster: 'c',
    systems: await recordedSystems('clean'),
    ledger: {
      spent: (cluster, since) => {
        requested.push([cluster, since]);
        return ledger.spent(cluster, since);
      },
    },
    settings: Settings.parse({}).executor,
    clock: () => new Date(START),
  });
  await contexts.of([], NOTHING_DECIDED, never);
  expect(requested).toEqual([['c', START - 60 * 60 * 1000]]);
});

describe('what else it says', () => {
  const contexts = async (controller: () => Promise<string | undefined>) => {
    const { executor } = Settings.parse({ executor: { yield: { afterLease: '0s', taken: 2 } } });
    return gateContexts({
      cluster: 'c',
      systems: await recordedSystems('leaky'),
      ledger: new Ledger(openStateFile(':memory:')),
      settings: executor,
      controller,
      clock: () => new Date(START),
    });
  };

  test('things that were gone in a row make it wait, until one was removed', async () => {
    const of = await contexts(async () => undefined);
    const waits = async (): Promise<string | undefined> =>
      (await of.of([], NOTHING_DECIDED, never)).yielding?.why;
    of.taken();
    expect(await waits()).toBeUndefined();
    of.taken();
    expect(await waits()).toContain('2 things in a row were gone');
    of.removed();
    expect(await waits()).toBeUndefined();
  });

  test('whether a controller is at work is asked where one has to finish something', async () => {
    let requested = 0;
    const of = await contexts(async () => {
      requested += 1;
      return 'nobody leads';
    });
    const proposals = await recordedProposals('leaky');
    const noController = async (rule: string): Promise<string | undefined> => {
      const found = proposals.filter((each) => each.rule === rule);
      expect(found.length).toBeGreaterThan(0);
      return (await of.of(found, NOTHING_DECIDED, never)).noController;
    };
    expect([await noController('orphaned-port-group'), requested]).toEqual([undefined, 0]);
    expect([await noController('leaked-ip'), requested]).toEqual(['nobody leads', 1]);
  });
});
