import { type ReleaseScore, type Score, spreadOf } from '@ovn-steward/judgement/score/score';
import { define, type Meter } from '@ovn-steward/service/meter/definition';

const OF = ['release'] as const;

/**
 * How Kube-OVN collects its own garbage (docs/score.md), counted since this process judges the
 * cluster. The label is the release of Kube-OVN that was seen at work, or `unknown`.
 */
export const SCORE_METRICS = {
  missed: define(
    'gauge',
    'score_missed',
    OF,
    'Dead rows and objects that are left longer than the grace of their class.',
  ),
  missedOldest: define(
    'gauge',
    'score_missed_oldest_seconds',
    OF,
    'How long the oldest of them has been dead; absent while there is none.',
  ),
  pending: define('gauge', 'score_pending', OF, 'Dead rows and objects within their grace.'),
  collected: define(
    'counter',
    'score_collected_total',
    [...OF, 'when'],
    'Dead rows and objects that went, whoever removed them: in-time within the grace of their class, late after it.',
  ),
  lateMedian: define(
    'gauge',
    'score_late_median_seconds',
    OF,
    'How long those that went late had been dead: the median of the last thousand; absent while there is none.',
  ),
  lateLongest: define(
    'gauge',
    'score_late_longest_seconds',
    OF,
    'The longest of the same thousand; absent while there is none.',
  ),
  removedAlive: define(
    'counter',
    'score_removed_alive_total',
    OF,
    'Things of Kube-OVN that went although what they are for was in use, and did not come back within the grace.',
  ),
  damaged: define('counter', 'score_damaged_total', OF, 'Times that rows of others were damaged.'),
  starts: define(
    'counter',
    'score_controller_starts_total',
    OF,
    'How often a controller of Kube-OVN took the lead, which collects most of its garbage.',
  ),
} as const;

/**
 * Sets the series of one cluster; the caller has reset them. Nothing while not everything was read
 * once.
 */
export function showScore(
  meter: Meter,
  cluster: Readonly<Record<string, string>>,
  { from, releases }: Score,
): void {
  if (from !== '') for (const it of releases) showRelease(meter, cluster, it);
}

function showRelease(
  meter: Meter,
  cluster: Readonly<Record<string, string>>,
  score: ReleaseScore,
): void {
  const of = { ...cluster, release: score.release };
  meter.set(SCORE_METRICS.missed, of, score.missed.count);
  meter.set(SCORE_METRICS.pending, of, score.pending);
  const oldest = spreadOf(score.missed)?.longest;
  if (oldest !== undefined) meter.set(SCORE_METRICS.missedOldest, of, oldest);
  const late = spreadOf(score.late);
  if (late) {
    meter.set(SCORE_METRICS.lateMedian, of, late.median);
    meter.set(SCORE_METRICS.lateLongest, of, late.longest);
  }
  meter.inc(SCORE_METRICS.collected, { ...of, when: 'in-time' }, score.inTime);
  meter.inc(SCORE_METRICS.collected, { ...of, when: 'late' }, score.late.count);
  meter.inc(SCORE_METRICS.removedAlive, of, score.removedAlive.count);
  meter.inc(SCORE_METRICS.damaged, of, score.damaged.count);
  meter.inc(SCORE_METRICS.starts, of, score.starts);
}
