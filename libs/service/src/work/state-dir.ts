import { privateFolder } from '@ovn-steward/shared/private-files';
import type { Shell } from './service';

/**
 * Makes the folder of the state for this account alone, and warns where others can read what was
 * there before.
 * @throws Failure as making a folder does.
 */
export function openStateDir({ settings, logger }: Pick<Shell, 'settings' | 'logger'>): void {
  const open = privateFolder(settings.stateDir);
  if (open !== undefined) logger.warn('state directory open to others', { reason: open });
}
