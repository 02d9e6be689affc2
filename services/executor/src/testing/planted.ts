import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Action } from '../action-kit/action';
import { EXECUTOR_ACTIONS } from '../actions/registry';
import type { ActionCase } from './action-cases';
import type { Plant } from './plants';

const FOLDER = join(__dirname, '../actions/testing');
const load = createRequire(__filename);

/**
 * What a file beside an action says it is tried on. Found by the action's id, so that no list of
 * them has to be kept.
 */
function triedOn<T>(id: string, name: 'plant' | 'actionCase'): T {
  const file = join(FOLDER, `${id}.ts`);
  const exported = existsSync(file) ? (load(file) as Record<string, T>)[name] : undefined;
  if (exported === undefined)
    throw new Error(
      `${id} has nothing to act on: services/executor/src/actions/testing/${id}.ts has to export ${name}`,
    );
  return exported;
}

/** @throws Error for an action that has none. */
export const plantOf = (id: string): Plant => triedOn(id, 'plant');

/** @throws Error for an action that has none. */
export const actionCaseOf = (id: string): ActionCase => triedOn(id, 'actionCase');

/**
 * What removes rows or entries of them; what was damaged comes back in one transaction of its own
 * (`work/restore-damaged`).
 */
export const ROW_ACTIONS: readonly Action[] = EXECUTOR_ACTIONS.filter(
  (it) => it.on === 'ovn-nb' && it.id !== 'restore-rows',
);

export const OBJECT_ACTIONS: readonly Action[] = EXECUTOR_ACTIONS.filter(
  (it) => it.on === 'kubernetes',
);
