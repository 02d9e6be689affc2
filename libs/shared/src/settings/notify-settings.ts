import { z } from 'zod';
import { Duration } from './duration';

const Names = z.array(z.string().min(1)).min(1);

/** A finding that has all of what an entry names; within a list any will do. */
const Route = z.strictObject({
  clusters: Names.optional(),
  classes: Names.optional(),
  rules: Names.optional(),
  vpcs: Names.optional(),
  subnets: Names.optional(),
  /** Of the finding's subject. */
  namespaces: Names.optional(),
  /** The least. */
  severity: z.enum(['info', 'warning', 'critical']).optional(),
});

/** Where notifications go, and which. */
export const SinkSettings = z
  .strictObject({
    /** `webhook` gets the notification as JSON, `slack` a message, `alertmanager` an alert (API v2), `ocsf` a Detection Finding, `cloudevents` a CloudEvent in one body, `cloudevents-binary` one with its attributes as headers. */
    type: z.enum(['webhook', 'slack', 'alertmanager', 'ocsf', 'cloudevents', 'cloudevents-binary']),
    /** Of Alertmanager the address without a path. */
    url: z.url({ protocol: /^https?$/ }).optional(),
    /** Holds the URL, where it is a secret. */
    urlFile: z.string().min(1).optional(),
    /** Holds a bearer token. */
    tokenFile: z.string().min(1).optional(),
    /** None: all findings. */
    routes: z.array(Route).default([]),
    /** After the first finding of a group, so that what comes together is sent together. */
    wait: Duration.prefault('30s'),
    /** Between two notifications about one group. */
    every: Duration.prefault('5m'),
    /** Of all groups together. */
    perMinute: z.number().positive().max(6000).default(20),
    timeout: Duration.prefault('10s'),
  })
  .refine(({ url, urlFile }) => (url === undefined) !== (urlFile === undefined), {
    path: ['url'],
    message: 'exactly one of url and urlFile is needed',
  });
export type SinkSettings = z.infer<typeof SinkSettings>;

/** A label of RFC 1123. */
export const SinkName = z
  .string()
  .regex(
    /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
    'not a name of a sink: small letters, digits and "-" only',
  );

/** Who is notified of findings. */
export const Notify = z.strictObject({ sinks: z.record(SinkName, SinkSettings).default({}) });
