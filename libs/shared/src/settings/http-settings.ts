import { z } from 'zod';

const ListenAddress = z
  .string()
  .regex(
    /^(?:\[[0-9a-fA-F:.]+\]|[^\s:[\]]+):\d{1,5}$/,
    'not an address to listen on: write host:port, such as 127.0.0.1:9470',
  );

const Oidc = z.strictObject({
  issuer: z
    .string()
    .regex(/^https:\/\/[^\s?#]+$/, 'not an issuer: write https://host/path')
    .optional(),
  audience: z.string().min(1).optional(),
  userClaim: z.string().min(1).default('sub'),
  groupsClaim: z.string().min(1).default('groups'),
  /** Never empty: a token that says `system:masters` must not be that. */
  prefix: z.string().min(1).default('oidc:'),
  caCertificate: z.string().min(1).optional(),
});

const Auth = z
  .strictObject({
    by: z.enum(['off', 'kubernetes', 'oidc']).default('off'),
    audiences: z.array(z.string().min(1)).default([]),
    plaintext: z.boolean().default(false),
    oidc: Oidc.prefault({}),
  })
  .superRefine(({ by, oidc }, context) => {
    for (const name of ['issuer', 'audience'] as const)
      if (by === 'oidc' && oidc[name] === undefined)
        context.addIssue({ code: 'custom', path: ['oidc', name], message: 'needed with by: oidc' });
  });

/** An address that only this machine reaches. */
const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|localhost|\[::1\]):\d+$/;

/** What is served over HTTP, and to which clients. */
export const Http = z
  .strictObject({
    /** `host:port`; only this machine by default. */
    listen: ListenAddress.default('127.0.0.1:9470'),
    /** Where a service answers `/livez` and `/readyz` besides, for probes. */
    probes: ListenAddress.optional(),
    /** Where it answers `/metrics` besides. */
    metrics: ListenAddress.optional(),
    tls: z
      .strictObject({
        certificate: z.string().min(1).optional(),
        privateKey: z.string().min(1).optional(),
      })
      .prefault({}),
    auth: Auth.prefault({}),
    decisions: z.strictObject({ keyFile: z.string().min(1).optional() }).prefault({}),
  })
  .superRefine(({ listen, tls, auth }, context) => {
    const wrong = (path: string[], message: string): void =>
      context.addIssue({ code: 'custom', path, message });
    if (tls.privateKey && !tls.certificate)
      wrong(['tls', 'certificate'], 'needed beside privateKey');
    if (tls.certificate && !tls.privateKey)
      wrong(['tls', 'privateKey'], 'needed beside certificate');
    if (auth.by !== 'off' && !tls.certificate && !auth.plaintext && !LOOPBACK.test(listen))
      wrong(
        ['tls', 'certificate'],
        `tokens would come in over ${listen} in clear text: set http.tls.certificate and http.tls.privateKey, listen on 127.0.0.1, or set http.auth.plaintext to true where something before it encrypts`,
      );
  });
