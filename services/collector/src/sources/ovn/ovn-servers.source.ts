import { isOvsdbRemote } from '@ovn-steward/systems/ovn/is-ovsdb-remote';
import type { OvnDatabaseId } from '@ovn-steward/systems/ovn/selection';
import { tlsOf } from '@ovn-steward/systems/ovn/tls-of';
import type { SourceType } from '../../source-kit/source-type';
import { createOvnSource } from './ovn-live';

/** An OVN database on its servers, with the certificates that its settings name. */
export const ovnServers: SourceType<OvnDatabaseId> = {
  forms: 'tcp:host:port, ssl:host:port, unix:path (comma-separated for a cluster)',
  isLive: true,
  accepts: isOvsdbRemote,
  open: ({ system, where, settings, report, unreachableAfterMs }) => {
    const tls = tlsOf(where, system === 'ovn-nb' ? settings.ovnNb : settings.ovnSb);
    return createOvnSource({
      id: system,
      remotes: where,
      ...(report ? { onTrouble: (message) => report(system, message) } : {}),
      ...(tls ? { tls } : {}),
      ...(unreachableAfterMs === undefined ? {} : { unreachableAfterMs }),
    });
  },
};
