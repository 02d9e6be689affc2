import type { AuditPairing } from '@ovn-steward/contracts/audit';
import { pairingLines } from './pairing-lines';

const PAIRED: AuditPairing = {
  state: 'paired',
  reason: 'MAC addresses are the same',
  bySaying: false,
  evidence: {
    agree: 12,
    disagree: 1,
    nodesAgree: 3,
    nodesDisagree: 0,
    random: 9,
    nodesMissed: 0,
    podsMissed: 0,
    portless: 0,
  },
};

test('a pair that is proven is one line with the figures', () =>
  expect(pairingLines(PAIRED)).toEqual([
    '  pairing     paired     9 pods and 3 nodes have the MAC address of their port, 1 another one',
  ]));

test('one that is not says why, every figure there is, and what to check', () =>
  expect(
    pairingLines({
      ...PAIRED,
      state: 'mispaired',
      reason: 'nothing agrees',
      next: 'Check both.',
      evidence: {
        ...PAIRED.evidence,
        agree: 0,
        nodesAgree: 0,
        nodesMissed: 2,
        podsMissed: 5,
        portless: 4,
      },
    }),
  ).toEqual([
    '  pairing     mispaired  nothing agrees; 0 pods and 0 nodes have the MAC address of their port, 1 another one; 7 ports are up and belong to nothing in Kubernetes; 4 pods and nodes have no port',
    '              Check both.',
  ]));

test('one that rests on what a person said says so', () =>
  expect(pairingLines({ ...PAIRED, bySaying: true, reason: 'a person said so' })[0]).toContain(
    'paired     a person said so; 9 pods',
  ));

test('a list that does not seem whole is named, with what to do', () =>
  expect(
    pairingLines({
      ...PAIRED,
      lists: [{ kind: 'Service', reason: 'it lacks one', next: 'Record it again.' }],
    }).slice(1),
  ).toEqual(['  lists       cut        it lacks one', '              Record it again.']));

test('a document of an earlier version has no such line', () =>
  expect(pairingLines(undefined)).toEqual([]));
