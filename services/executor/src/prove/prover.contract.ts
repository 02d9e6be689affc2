import type { Engine } from '@ovn-steward/judgement/engine/engine';
import { userProtection } from '@ovn-steward/judgement/protection';
import { RULES } from '@ovn-steward/judgement/rules/registry';
import { type Entity, referenceTo } from '@ovn-steward/judgement/world/entity';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import type { Reference } from '@ovn-steward/contracts/identity/reference';
import { findingId } from '@ovn-steward/contracts/identity/ids';
import type { Systems } from '@ovn-steward/systems/systems';
import { confirmed, KUBE_OVN, RECORDED_CLUSTER, recordedEngine } from '../testing/recorded-engine';
import type { RecordedName } from '@ovn-steward/systems/testing/recorded-northbound';
import { createProver, type Prover, type ProverOptions } from './prover';
import type { Proof } from './prove-in-rounds';

const never = new AbortController().signal;

export const proverOf = (
  systems: Systems,
  entries: Parameters<typeof userProtection>[0] = [],
  more: Pick<ProverOptions, 'pause'> = {},
): Prover =>
  createProver({
    cluster: RECORDED_CLUSTER,
    systems,
    isProtected: userProtection(entries),
    kubeOvn: KUBE_OVN,
    ...more,
  });

/** What the audit of a recording found and has a remedy for, as it stands once confirmed. */
export const remediable = (engine: Engine): Finding[] =>
  engine
    .findings()
    .filter((it) => it.remedy)
    .map(confirmed);

/**
 * A finding nobody made: that the rule found the entity, with a proof that is true but proves
 * nothing.
 */
function forged(rule: (typeof RULES)[number], entity: Entity, part?: Reference['part']): Finding {
  const subject = referenceTo(entity, part);
  const at = '2026-01-01T00:00:00.000Z';
  return {
    id: findingId(RECORDED_CLUSTER, rule.id, subject),
    cluster: RECORDED_CLUSTER,
    rule: rule.id,
    class: rule.class,
    severity: rule.severity,
    state: 'confirmed',
    revision: 2,
    subject,
    concerns: [],
    owner: { owner: 'kube-ovn', verdict: 'candidate', confidence: 3, evidence: ['believe me'] },
    summary: 'nobody needs it',
    proof: [{ fact: 'unchanged', subject: referenceTo(entity), digest: entity.hash }],
    remedy: {
      action: rule.remedy ?? 'delete-logical-switch-port',
      target: subject,
      advice: 'remove it',
    },
    firstSeen: at,
    lastSeen: at,
    confirmedAt: at,
    resolvedAt: null,
  };
}

/** Each rule on each entity of its kind, and on each entry of it. */
const lies = (engine: Engine): Finding[] =>
  RULES.flatMap((rule) =>
    [...engine.world.entities(rule.subject)].flatMap((entity) => [
      forged(rule, entity),
      ...Object.keys((entity.object['vips'] as object | undefined) ?? {}).map((key) =>
        forged(rule, entity, { column: 'vips', key }),
      ),
    ]),
  );

/**
 * Proofs under way keep all that they read: hundreds at once took a gigabyte, and a third of the
 * time was garbage collection.
 */
const AT_ONCE = 10;

export async function proveAll(prover: Prover, findings: readonly Finding[]): Promise<Proof[]> {
  const proofs: Proof[] = [];
  for (let from = 0; from < findings.length; from += AT_ONCE) {
    const some = findings.slice(from, from + AT_ONCE);
    proofs.push(...(await Promise.all(some.map((it) => prover.prove(it, never)))));
  }
  return proofs;
}

/** What a prover must do with the recorded clusters, however they are served. */
export function describeProver(
  name: string,
  start: (recording: RecordedName) => Promise<{ systems: Systems; stop?: () => Promise<void> }>,
): void {
  describe.each(['leaky', 'clean', 'shared-neutron'] as const)(`${name}: %s`, (recording) => {
    let engine: Engine;
    let systems: Systems;
    let stop: (() => Promise<void>) | undefined;
    beforeAll(async () => {
      engine = await recordedEngine(recording);
      ({ systems, stop } = await start(recording));
    });
    afterAll(() => stop?.());

    test('proves all that the audit found and has a remedy for, as it was found', async () => {
      const findings = remediable(engine);
      const proofs = await proveAll(proverOf(systems), findings);
      expect(
        proofs.map((it, index) =>
          it.is === 'proven' ? it.is : `${findings[index]!.summary}: ${JSON.stringify(it)}`,
        ),
      ).toEqual(findings.map(() => 'proven'));
      const claims = proofs.map((it) => (it.is === 'proven' ? it.claim : undefined));
      expect(claims).toEqual(
        findings.map(
          ({
            state: _,
            revision: _r,
            firstSeen: _f,
            lastSeen: _l,
            confirmedAt: _c,
            resolvedAt: _e,
            cause: _of,
            ...claim
          }) => claim,
        ),
      );
      if (recording === 'leaky') expect(findings.length).toBeGreaterThan(35);
      for (const it of proofs)
        if (it.is === 'proven') expect(await proverOf(systems).recheck(it, never)).toBeUndefined();
    });

    test('believes no lie about anything alive', async () => {
      const found = new Set(engine.findings().map((it) => it.id));
      const accused = lies(engine).filter((it) => !found.has(it.id));
      const proofs = await proveAll(proverOf(systems), accused);
      expect(
        proofs.flatMap((proof, index) =>
          proof.is === 'untrue' || proof.is === 'unknown'
            ? []
            : [`${accused[index]!.rule} ${accused[index]!.subject.name}: ${proof.is}`],
        ),
      ).toEqual([]);
      expect(accused.length).toBeGreaterThan(300);
    }, 240_000);

    test('believes no lie about what is not there, or somewhere else', async () => {
      const [rule] = RULES.filter((it) => it.id === 'orphaned-logical-switch-port');
      const [port] = engine.world.entities('Logical_Switch_Port');
      const prover = proverOf(systems);
      const absent = forged(rule!, { ...port!, uid: '00000000-0000-4000-8000-000000000000' });
      expect(await prover.prove(absent, never)).toEqual({ is: 'gone' });
      expect(
        await prover.prove(forged(rule!, { ...port!, kind: 'Logical_Switch' }), never),
      ).toMatchObject({ is: 'untrue' });
      expect(
        await prover.prove({ ...forged(rule!, port!), rule: '__proto__' }, never),
      ).toMatchObject({ is: 'untrue' });
      expect(await prover.prove(forged(rule!, { ...port!, uid: 'no uuid' }), never)).toEqual({
        is: 'gone',
      });
    });
  });
}
