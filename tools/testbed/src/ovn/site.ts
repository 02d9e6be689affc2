import { containerSite } from '../docker/container';
import { containersAtHand } from '../docker/docker';
import { OVN_IMAGE } from '../docker/images';
import { provisionNewerOvn } from '../provision/newer-ovn';
import { provisionOvn } from '../provision/ovn';
import { progressToStderr } from '../provision/progress';
import { localSite } from '../run/local';
import type { Site } from '../run/server';

export interface OvnSite extends Site {
  /** Where the site's programs find the schemas of empty databases. */
  readonly schemas: { readonly nb: string; readonly sb: string };
}

/**
 * A place to run OVN's programs in: containers where Docker answers, else this machine; `newer`
 * (OVN 25.03) only on this machine.
 */
export async function openOvnSite(
  folder: string,
  ports: readonly number[],
  newer = false,
): Promise<OvnSite> {
  const env = keptInside(folder);
  if (!newer && (await containersAtHand('ovn'))) {
    const programs = {
      images: {},
      env,
      holder: { image: OVN_IMAGE, command: ['tail', '-f', '/dev/null'] },
    };
    return {
      ...(await containerSite(programs, folder, ports)),
      schemas: { nb: '/usr/share/ovn/ovn-nb.ovsschema', sb: '/usr/share/ovn/ovn-sb.ovsschema' },
    };
  }
  const programs = await (newer ? provisionNewerOvn : provisionOvn)(progressToStderr);
  return {
    ...localSite({ paths: programs.paths, env: { ...programs.env, ...env } }, folder),
    schemas: programs.schemas,
  };
}

/** The environment that keeps OVS and OVN programs inside our folder, whoever runs them. */
const keptInside = (folder: string): Record<string, string> =>
  Object.fromEntries(
    ['OVS_RUNDIR', 'OVN_RUNDIR', 'OVS_LOGDIR', 'OVN_LOGDIR', 'OVS_DBDIR', 'OVN_DBDIR'].map(
      (name) => [name, folder],
    ),
  );
