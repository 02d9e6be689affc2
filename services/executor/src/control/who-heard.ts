import type { ControlState } from './control-state';

/** An executor that says which decisions it respects. */
export interface Listening {
  readonly executor: string;
  /** When it said so last, RFC 3339. */
  readonly at: string;
}

/** Who respects some decisions. */
export interface WhoHeard {
  /**
   * Whether the executor that acts does: who began last, and did not say that it follows no more.
   */
  readonly all: boolean;
  readonly heard: readonly Listening[];
  /** `replaced`: another began after it, and only one acts at a time. */
  readonly unheard: readonly (Listening & { readonly replaced: boolean })[];
}

/**
 * The executors that published that they respect all decisions of these ids. None where no executor
 * follows decisions.
 */
export function whoHeard({ heard }: Pick<ControlState, 'heard'>, ids: readonly string[]): WhoHeard {
  const listening = [...heard].map(([executor, heardBy]) => ({
    executor,
    at: heardBy.at,
    began: beginningOf(heardBy.since),
    respects: ids.every((id) => heardBy.ids.has(id)),
  }));
  const last = Math.max(...listening.map(({ began }) => began));
  return {
    all: listening.length > 0 && listening.every(({ began, respects }) => began < last || respects),
    heard: listening.filter((it) => it.respects).map(({ executor, at }) => ({ executor, at })),
    unheard: listening
      .filter((it) => !it.respects)
      .map(({ executor, at, began }) => ({ executor, at, replaced: began < last })),
  };
}

/** Of one that says no time it is not known that another began after it. */
const beginningOf = (since: string): number => {
  const began = Date.parse(since);
  return Number.isNaN(began) ? Infinity : began;
};
