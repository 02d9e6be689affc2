import type { Finding } from '@ovn-steward/contracts/findings/finding';
import type { AppliedChanges } from '../engine/engine-options';
import type { Engine } from '../engine/engine';
import { tookLead } from '../kube-ovn/lease-holder';
import { DeletedThings } from './deleted-things';
import { CaseList } from './case-list';
import { releaseIn } from './release-in';
import { isStillThere } from './still-there';
import type { ReleaseScore, Score, ScoredCase } from './score';

const DEAD: ReadonlySet<string> = new Set(['garbage', 'leak']);
const secondsBetween = (from: string, to: string): number =>
  Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1000));

/** Of one release, as it grows. */
interface Tally {
  starts: number;
  inTime: number;
  readonly late: CaseList;
  readonly removedAlive: CaseList;
  readonly damaged: CaseList;
}

/** What is dead and still there. */
interface Open {
  readonly finding: Finding;
  readonly release: string;
}

const UNKNOWN = 'unknown';

/**
 * Grades Kube-OVN's own collection by what an engine sees of it. What is dead and goes was
 * collected; what is dead and stays beyond its grace was missed; what goes while its absence is
 * then found to be an outage was removed though alive. Whoever removes something counts as
 * Kube-OVN: nobody signs it.
 */
export class Scorecard {
  readonly #engine: Engine;
  readonly #graceOf: (finding: Finding) => number;
  readonly #tallies = new Map<string, Tally>();
  readonly #open = new Map<string, Open>();
  readonly #deleted = new DeletedThings();
  /** Findings whose removal counts already. */
  readonly #counted = new Set<string>();
  #from = '';
  #isNamed = false;

  /**
   * What the engine has found already is dead from when it was first seen; what is missing or
   * damaged already is not counted: it happened before.
   *
   * @param graceOf how long something may be dead before it is late, in milliseconds.
   */
  constructor(engine: Engine, graceOf: (finding: Finding) => number) {
    this.#engine = engine;
    this.#graceOf = graceOf;
    const release = releaseIn(engine.world) ?? UNKNOWN;
    for (const finding of engine.findings())
      if (DEAD.has(finding.class)) this.#open.set(finding.id, { finding, release });
      else if (finding.state !== 'suspected') this.#counted.add(finding.id);
  }

  /** Records what the engine made of some changes, right after it did. */
  observe({ moved, findings }: AppliedChanges): void {
    const { now, world } = this.#engine;
    const release = releaseIn(world) ?? UNKNOWN;
    if (release !== UNKNOWN) this.#named(release);
    const wasReading = this.#from === '';
    if (wasReading && this.#engine.streams().every((it) => it.completeness.state !== 'listing'))
      this.#from = now;
    for (const { before, after } of moved) {
      if (before && !after) this.#deleted.add(before, now);
      if (!wasReading && tookLead(before, after)) this.#of(release).starts += 1;
    }
    for (const finding of findings) {
      if (DEAD.has(finding.class)) this.#countDead(finding, release);
      else if (finding.class === 'missing') this.#countMissing(finding, release);
      else if (finding.rule === 'neighbour-damaged') this.#countDamage(finding, release);
    }
  }

  score(): Score {
    const through = this.#engine.now;
    const missed = new Map<string, CaseList>();
    const pending = new Map<string, number>();
    for (const { finding, release } of this.#open.values()) {
      if (Date.parse(through) - Date.parse(finding.firstSeen) >= this.#graceOf(finding)) {
        if (!missed.has(release)) missed.set(release, new CaseList());
        missed.get(release)!.add(this.#caseOf(finding, through));
      } else pending.set(release, (pending.get(release) ?? 0) + 1);
    }
    const releases = new Set([...this.#tallies.keys(), ...missed.keys(), ...pending.keys()]);
    if (releases.size === 0) releases.add(releaseIn(this.#engine.world) ?? UNKNOWN);
    return {
      from: this.#from,
      through,
      releases: [...releases].sort().map((release): ReleaseScore => {
        const { starts, inTime, late, removedAlive, damaged } = this.#of(release);
        return {
          release,
          starts,
          inTime,
          late: late.all(),
          missed: (missed.get(release) ?? new CaseList()).all(),
          pending: pending.get(release) ?? 0,
          removedAlive: removedAlive.all(),
          damaged: damaged.all(),
        };
      }),
    };
  }

  #countDead(finding: Finding, release: string): void {
    if (finding.state !== 'resolved') {
      const known = this.#open.get(finding.id);
      this.#open.set(finding.id, { finding, release: known?.release ?? release });
      return;
    }
    this.#open.delete(finding.id);
    // Its owner came back, or something is known of it now: nobody collected it.
    if (isStillThere(finding, this.#engine.world)) return;
    const found = this.#caseOf(finding, finding.resolvedAt ?? this.#engine.now);
    const tally = this.#of(release);
    if (found.seconds * 1000 > this.#graceOf(finding)) tally.late.add(found);
    else tally.inTime += 1;
  }

  /** That something was never made is no removal: it has to have been there. */
  #countMissing(finding: Finding, release: string): void {
    if (finding.state === 'resolved') this.#counted.delete(finding.id);
    if (finding.state !== 'confirmed' || this.#counted.has(finding.id)) return;
    const gone = finding.proof.flatMap((it) =>
      it.fact === 'absent' ? (this.#deleted.at(it.kind, it.key) ?? []) : [],
    )[0];
    if (gone === undefined) return;
    this.#counted.add(finding.id);
    this.#of(release).removedAlive.add({
      ...this.#caseOf(finding, this.#engine.now),
      at: gone,
      seconds: secondsBetween(gone, this.#engine.now),
    });
  }

  #countDamage(finding: Finding, release: string): void {
    if (finding.state === 'resolved') {
      this.#counted.delete(finding.id);
      return;
    }
    if (this.#counted.has(finding.id)) return;
    this.#counted.add(finding.id);
    this.#of(release).damaged.add(this.#caseOf(finding, this.#engine.now));
  }

  #caseOf({ rule, subject, summary, firstSeen }: Finding, until: string): ScoredCase {
    return {
      rule,
      subject,
      summary,
      at: firstSeen,
      before: this.#from === '' || firstSeen <= this.#from,
      seconds: secondsBetween(firstSeen, until),
    };
  }

  /** What was seen before any release was known was of the one that is known first. */
  #named(release: string): void {
    if (this.#isNamed) return;
    this.#isNamed = true;
    const unnamed = this.#tallies.get(UNKNOWN);
    if (unnamed) this.#tallies.set(release, unnamed);
    this.#tallies.delete(UNKNOWN);
    for (const [id, { finding }] of this.#open) this.#open.set(id, { finding, release });
  }

  #of(release: string): Tally {
    let tally = this.#tallies.get(release);
    if (tally === undefined) {
      const lists = [new CaseList(), new CaseList(), new CaseList()] as const;
      const [late, removedAlive, damaged] = lists;
      tally = { starts: 0, inTime: 0, late, removedAlive, damaged };
      this.#tallies.set(release, tally);
    }
    return tally;
  }
}
