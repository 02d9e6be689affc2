import { z } from 'zod';

const REMOTE = /^(?:(?:tcp|ssl):(?:\[[0-9a-fA-F:.]+\]|[^\s,:[\]]+):\d{1,5}|unix:[^\s,]+)$/;

const ONE_REMOTE = REMOTE.source.slice(1, -1);

/**
 * An OVSDB server, or the members of a cluster separated by commas:
 * `ssl:10.0.0.1:6641,ssl:10.0.0.2:6641` (ovsdb(7)).
 */
const Remote = z
  .string()
  .meta({ pattern: `^${ONE_REMOTE}(?:,${ONE_REMOTE})*$` })
  .refine(
    (text) => text.split(',').every((it) => REMOTE.test(it)),
    'not an OVSDB remote: write tcp:host:port, ssl:host:port or unix:path, a port from 1 to 65535, members separated by commas',
  );

/**
 * One OVN database. The three files are PEM; `caCertificate` is needed for ssl remotes, the other
 * two come together.
 */
export const OvnDatabase = z
  .strictObject({
    remote: Remote.optional(),
    privateKey: z.string().min(1).optional(),
    certificate: z.string().min(1).optional(),
    caCertificate: z.string().min(1).optional(),
    /** What the server's certificate names, where that is not the host of the remote. */
    serverName: z.string().min(1).optional(),
    /** Whether it must name it at all; true by default. */
    verifyName: z.boolean().optional(),
  })
  .superRefine(
    ({ remote, privateKey, certificate, caCertificate, serverName, verifyName }, context) => {
      const wrong = (path: string, message: string): void =>
        context.addIssue({ code: 'custom', path: [path], message });
      if (remote?.split(',').some((it) => it.startsWith('ssl:')) && !caCertificate)
        wrong(
          'caCertificate',
          'needed for an ssl remote: the file of the authority that signed the server',
        );
      if (privateKey && !certificate) wrong('certificate', 'needed beside privateKey');
      if (certificate && !privateKey) wrong('privateKey', 'needed beside certificate');
      if (serverName && verifyName === false)
        wrong('serverName', 'verifyName is false, so no name is checked: set one of the two');
    },
  );
