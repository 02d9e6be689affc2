import type { Exhaustion } from '@ovn-steward/judgement/health/exhaustion';

/**
 * When a subnet will be full, in a few characters: `now`, a span in days, hours or minutes, `-`
 * where none is in sight, `?` where it is not known.
 */
export function fullIn(exhaustion: Exhaustion): string {
  switch (exhaustion.is) {
    case 'unknown':
      return '?';
    case 'full':
      return 'now';
    case 'none-in-sight':
      return '-';
    case 'growing':
      return span(exhaustion.fullInSeconds);
  }
}

const span = (seconds: number): string =>
  seconds >= 172_800
    ? `${Math.floor(seconds / 86_400)}d`
    : seconds >= 7200
      ? `${Math.floor(seconds / 3600)}h`
      : `${Math.max(1, Math.floor(seconds / 60))}m`;
