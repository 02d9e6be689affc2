import { createEngine } from '@ovn-steward/judgement/create-engine';
import { NO_PAIRING_COUNTS } from '@ovn-steward/judgement/pairing/decide';
import type { Built } from '@ovn-steward/judgement/testing/builders';
import { pairedNode } from '@ovn-steward/judgement/testing/builders';
import { History } from '@ovn-steward/judgement/testing/history';
import { NO_GRACE } from '@ovn-steward/judgement/testing/grace';
import { auditDocument } from './audit-document';
import { clusterStatus } from './cluster-status';

/** What is reported of these things: by an audit, which is what `/status` says, too. */
function reported(...things: readonly Built[]) {
  const engine = createEngine({ cluster: 'lab', grace: NO_GRACE });
  const history = new History();
  engine.apply([...history.listNothingMore(), ...things.map((it) => history.put(it))], {
    checked: false,
  });
  const { pairing } = auditDocument(engine, 'lab');
  expect(clusterStatus({ cluster: 'lab', picture: engine, ready: true }).pairing).toEqual(pairing);
  return pairing;
}

test('a pair that agrees is paired, by so much evidence, and nothing is to be checked', () =>
  expect(reported(...pairedNode('a'), ...pairedNode('b'))).toEqual({
    state: 'paired',
    reason: 'MAC addresses made at random are the same on both sides',
    bySaying: false,
    evidence: { ...NO_PAIRING_COUNTS, agree: 2, nodesAgree: 2, random: 2 },
  }));

test('another Kubernetes is mispaired, with what to check', () =>
  expect(reported(...pairedNode('a', { portMac: '0a:58:64:40:00:99' }))).toMatchObject({
    state: 'mispaired',
    reason: expect.stringContaining('another one') as string,
    next: expect.stringContaining('Check which cluster the kubeconfig') as string,
    evidence: { agree: 0, disagree: 1, nodesDisagree: 1 },
  }));

test('where nothing shows it, it is unknown, with what to check', () =>
  expect(reported()).toMatchObject({
    state: 'unknown',
    reason: expect.stringContaining('nothing shows') as string,
    next: expect.stringContaining('read whole') as string,
    evidence: { agree: 0, disagree: 0 },
  }));
