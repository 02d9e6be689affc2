import type { OvnOptions, OvnServer } from './server';

/**
 * The OVN Northbound given by STEWARD_TEST_OVN_NB (`tcp:HOST:PORT`, `unix:PATH`), for callers that
 * only need some server to talk to. It is somebody's database: it is not loaded, stopped or
 * restarted.
 */
export function externalOvn(options: OvnOptions): OvnServer | undefined {
  const remote = process.env['STEWARD_TEST_OVN_NB'];
  if (
    remote === undefined ||
    remote === '' ||
    options.database !== undefined ||
    options.schema === 'sb' ||
    options.tls === true ||
    options.newer === true
  )
    return undefined;
  const refuse = (what: string) => (): never => {
    throw new Error(
      `cannot ${what}: the server is not ours (STEWARD_TEST_OVN_NB=${remote}); unset that variable for this test`,
    );
  };
  return {
    remote,
    unixRemote: remote,
    file: '',
    ctl: '',
    appctl: refuse('control the server'),
    client: refuse('run ovsdb-client'),
    nbctl: refuse('run ovn-nbctl'),
    signal: refuse('signal the server'),
    kill: refuse('kill the server'),
    restart: refuse('restart the server'),
    stop: () => Promise.resolve(),
  };
}
