import { z } from 'zod';
import { isServiceTopic } from '../log/topics';
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
  /** Of an action; with these the entry takes no findings. */
  states: z
    .array(z.enum(['proposed', 'done', 'failed', 'refused', 'undone']))
    .min(1)
    .optional(),
});

/** What only sinks with this way of sending have. */
const KEYS_OF = {
  http: ['url', 'urlFile', 'tokenFile'],
  events: ['kubeconfig', 'context', 'cluster'],
  kafka: ['topic'],
} as const;
type Sending = keyof typeof KEYS_OF;
const sendingOf = (type: string): Sending =>
  type === 'kubernetes-events' ? 'events' : type.startsWith('kafka') ? 'kafka' : 'http';
/**
 * Types whose documents say what stands now, while an action is what happened, and what to use for
 * actions.
 */
const FINDINGS_ONLY: ReadonlyMap<string, string> = new Map([
  [
    'alertmanager',
    'an alert stands until it ends, and an action has happened. For failed and refused actions load deploy/prometheus/rules.yaml into Prometheus (OvnStewardActionFailed, OvnStewardExecutorRefuses), or add a sink of type webhook or slack',
  ],
  [
    'ocsf',
    'a Detection Finding has no field for what was done about it. For actions add a sink of type webhook, cloudevents or kafka',
  ],
]);

function problemsOf(
  sink: { readonly type: string; readonly about: readonly string[] } & Readonly<
    Partial<Record<(typeof KEYS_OF)[Sending][number], string | undefined>>
  >,
): { readonly path: string; readonly message: string }[] {
  const sending = sendingOf(sink.type);
  const foreign = Object.entries(KEYS_OF)
    .flatMap(([of, keys]) => (of === sending ? [] : keys))
    .filter((key) => sink[key] !== undefined)
    .map((key) => ({ path: key, message: `a sink of type ${sink.type} has none` }));
  const address =
    sending === 'http' && (sink.url === undefined) === (sink.urlFile === undefined)
      ? [{ path: 'url', message: 'exactly one of url and urlFile is needed' }]
      : [];
  const topic =
    sending === 'kafka' && sink.topic === undefined
      ? [{ path: 'topic', message: `a sink of type ${sink.type} needs one` }]
      : [];
  const why = FINDINGS_ONLY.get(sink.type);
  const about =
    why !== undefined && sink.about.includes('actions')
      ? [{ path: 'about', message: `a sink of type ${sink.type} takes findings only: ${why}` }]
      : [];
  return [...foreign, ...address, ...topic, ...about];
}

/** Where notifications go, and which. */
export const SinkSettings = z
  .strictObject({
    /**
     * `webhook` gets the notification as JSON, `slack` a message, `alertmanager` an alert (API v2),
     * `ocsf` a Detection Finding, `cloudevents` a CloudEvent in one body, `cloudevents-binary` one
     * with its attributes as headers; `kafka` and `kafka-binary` get the same as a record of a
     * topic; `kubernetes-events` are Events on the objects concerned.
     */
    type: z.enum([
      'webhook',
      'slack',
      'alertmanager',
      'ocsf',
      'cloudevents',
      'cloudevents-binary',
      'kafka',
      'kafka-binary',
      'kubernetes-events',
    ]),
    /** What it is sent: findings, actions of the executor, or both. */
    about: z
      .array(z.enum(['findings', 'actions']))
      .min(1)
      .default(['findings']),
    /** Of Alertmanager the address without a path. */
    url: z.url({ protocol: /^https?$/ }).optional(),
    /** Holds the URL, where it is a secret. */
    urlFile: z.string().min(1).optional(),
    /** Holds a bearer token. */
    tokenFile: z.string().min(1).optional(),
    /**
     * Of `kafka` and `kafka-binary`, on the brokers of the setting `kafka`. It must exist, and be
     * none that services read.
     */
    topic: z
      .string()
      .regex(/^[\w.-]{1,249}$/, 'not a name of a topic: letters, digits, ".", "_" and "-"')
      .refine((it) => !isServiceTopic(it), 'a topic that services read')
      .optional(),
    /**
     * Of `kubernetes-events`: a kubeconfig. Without it as kubectl finds the cluster, in a pod its
     * own account.
     */
    kubeconfig: z.string().min(1).optional(),
    /** Of `kubernetes-events`: the context of the kubeconfig. */
    context: z.string().min(1).optional(),
    /**
     * Of `kubernetes-events`: the cluster whose findings that Kubernetes is of. Default: the
     * setting `cluster`.
     */
    cluster: z.string().min(1).optional(),
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
  .superRefine((sink, context) => {
    for (const { path, message } of problemsOf(sink))
      context.addIssue({ code: 'custom', path: [path], message });
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
