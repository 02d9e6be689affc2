import { ownershipOf } from './ownership';
import { northbound } from './testing/northbound';
import type { Truth } from './testing/recording';
import { readRecording } from './testing/recording';

/** Symptoms whose row is itself to be removed, or a part of it. */
const GARBAGE = new Set([
  'orphan-lsp',
  'orphan-port-group',
  'orphan-address-set',
  'orphan-acl',
  'orphan-node-port',
  'orphan-policy',
  'orphan-lrp',
  'orphan-lb',
  'stale-lb-vip',
]);

describe.each(['clean', 'leaky', 'shared-neutron'])('the rows of the recording %s', (name) => {
  const { rows, truth, presence } = readRecording(name);
  const neighbourhood = northbound(rows, presence);
  const byUid = new Map(rows.map((it) => [it.uid, it]));
  const verdicts = (entries: readonly Truth[]) =>
    entries.map(
      (it) =>
        [it.table, it.name, ownershipOf(byUid.get(it.uuid!)!, neighbourhood).verdict] as const,
    );
  const northboundTruth = truth.filter((it) => it.source === 'nb' && it.uuid !== undefined);

  it('leaves every planted leak open to the garbage rules', () => {
    const leaks = northboundTruth.filter(
      (it) => it.expect === 'finding' && it.garbage !== false && GARBAGE.has(it.symptom ?? ''),
    );
    if (name !== 'clean') expect(leaks.length).toBeGreaterThan(10);
    expect(verdicts(leaks).filter(([, , verdict]) => verdict !== 'candidate')).toEqual([]);
  });

  it("keeps every row that is not Kube-OVN's, and every NAT", () => {
    const foreign = northboundTruth.filter(
      (it) => it.expect === 'keep' && /foreign or hand-made|hand-made|no vendor/.test(it.why),
    );
    if (name !== 'clean') expect(foreign.length).toBeGreaterThan(5);
    const nats = rows
      .filter((it) => it.kind === 'NAT')
      .map((it) => ({ uuid: it.uid, table: it.kind, name: it.name }) as Truth);
    expect(
      verdicts([...foreign, ...nats]).filter(([, , verdict]) => verdict !== 'protect'),
    ).toEqual([]);
  });

  it("makes no candidate of a row without a tag of Kube-OVN's", () => {
    const candidates = rows.filter((it) => ownershipOf(it, neighbourhood).verdict === 'candidate');
    const tagged = (row: (typeof rows)[number]) =>
      (row.object['external_ids'] as Record<string, string> | undefined)?.['vendor'] === 'kube-ovn';
    expect(candidates.filter((it) => !tagged(it)).map((it) => it.kind)).toEqual(
      candidates.filter((it) => it.kind === 'Load_Balancer_Health_Check').map((it) => it.kind),
    );
  });

  it('gives the same answers in whatever order the rows come', () => {
    const turned = northbound([...rows].reverse(), presence);
    expect(rows.map((it) => ownershipOf(it, turned).verdict)).toEqual(
      rows.map((it) => ownershipOf(it, neighbourhood).verdict),
    );
  });
});
