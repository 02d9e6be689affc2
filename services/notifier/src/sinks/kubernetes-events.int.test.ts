import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { SinkSettings } from '@ovn-steward/shared/settings/notify-settings';
import { describeWith, kubernetes } from '@ovn-steward/testbed/fixture';
import { type KubernetesServer, startKubernetes } from '@ovn-steward/testbed/kubernetes';
import { GrantedRole, rightsIn } from '@ovn-steward/testbed/kubernetes/granted-role';
import { kubeconfigText } from '@ovn-steward/testbed/kubernetes/kubeconfig';
import type { KubernetesObject } from '@ovn-steward/testbed/kubernetes/objects';
import { recording } from '@ovn-steward/testbed/recordings';
import { parseAllDocuments } from 'yaml';
import { compose } from '../deliver/compose';
import { composeActions } from '../deliver/compose-actions';
import type { Message, Sender } from '../send/sender';
import { finding } from '../testing/findings';
import { kubernetesEvents } from './kubernetes-events';

const ROOT = join(__dirname, '../../../..');
const MANIFEST = parseAllDocuments(
  readFileSync(join(ROOT, 'deploy/rbac-notifier.yaml'), 'utf8'),
).map((it) => it.toJS() as KubernetesObject);
const ROLE = 'ovn-steward-notifier';
const NOTIFIER = 'system:serviceaccount:ovn-steward:ovn-steward-notifier';
const GROUP = { sink: 'events', group: 'a'.repeat(64), delivered: undefined };
const { signal } = new AbortController();

interface WrittenEvent {
  readonly regarding: { kind: string; name: string; namespace?: string; uid?: string };
  readonly reason: string;
  readonly type: string;
  readonly note: string;
  readonly series?: { count: number };
}

describeWith(kubernetes, 'on a Kubernetes that checks rights', () => {
  let server: KubernetesServer;
  let folder = '';
  let sender: Sender;
  let role: GrantedRole;
  const senderAs = (token: string, name: string): Sender => {
    const kubeconfig = join(folder, name);
    writeFileSync(kubeconfig, kubeconfigText(server.url, server.ca, token));
    return kubernetesEvents(SinkSettings.parse({ type: 'kubernetes-events', kubeconfig }), {
      cluster: 'berlin-1',
    });
  };
  const events = async (namespace: string): Promise<WrittenEvent[]> => {
    const { items } = (await server.api.get(
      `/apis/events.k8s.io/v1/namespaces/${namespace}/events`,
    )) as { items: WrittenEvent[] };
    return items;
  };
  const said = async (namespace: string, reason: string): Promise<WrittenEvent[]> =>
    (await events(namespace)).filter((it) => it.reason === reason);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'steward-events-'));
    server = await startKubernetes({
      rbac: true,
      audited: true,
      recording: recording('leaky', 'kubernetes.json'),
      users: [
        { name: NOTIFIER, token: 'of-the-notifier' },
        { name: 'nobody', token: 'of-nobody' },
      ],
    });
    await server.api.send('POST', '/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'ovn-steward' },
    });
    await server.apply(MANIFEST);
    role = new GrantedRole(server, MANIFEST, ROLE, NOTIFIER);
    sender = senderAs('of-the-notifier', 'notifier');
  }, 180_000);
  afterAll(async () => {
    await sender?.close();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const subject = {
    source: 'kubernetes',
    kind: 'Pod',
    namespace: 'shop',
    name: 'web-0',
    uid: 'u',
  } as const;
  const about = (
    changes: Parameters<typeof finding>[1],
    ids = ['1'],
    group = ids.join(),
  ): Message => ({
    about: 'findings',
    notification: compose(
      { ...GROUP, group: group.padEnd(64, 'f') },
      ids.map((id) => finding(id, changes)),
      new Date(),
    )!.last,
    before: undefined,
  });

  test('a finding is an Event on its object, and the next of its group is counted into it', async () => {
    const message = about({ rule: 'pod-rule', severity: 'critical', subject });
    expect(await sender.send(message, signal)).toMatchObject({ delivered: true, requests: 1 });
    expect(await said('shop', 'PodRule')).toEqual([
      expect.objectContaining({
        type: 'Warning',
        action: 'Audit',
        reportingController: 'ovn-steward.dev/notifier',
        regarding: expect.objectContaining({
          apiVersion: 'v1',
          kind: 'Pod',
          name: 'web-0',
          uid: 'u',
        }),
        note: expect.stringContaining('steward explain 1'),
      }),
    ]);
    // The same again, as after a crash, says nothing new.
    expect(await sender.send(message, signal)).toMatchObject({ delivered: true });
    expect((await said('shop', 'PodRule'))[0]!.series).toBeUndefined();
    for (let times = 2; times < 4; times += 1) {
      await sender.send(about({ rule: 'pod-rule', severity: 'critical', subject }), signal);
      const written = await said('shop', 'PodRule');
      expect(written.map((it) => it.series?.count)).toEqual([times]);
    }
  });

  // The text of an Event cannot be changed (ValidateEventUpdate, pkg/apis/core/validation/events.go).
  test('what the next of its group says otherwise is an Event of its own', async () => {
    const changes = { rule: 'words-rule', severity: 'critical', subject } as const;
    for (const ids of [['1'], ['1', '2'], ['1']])
      expect(await sender.send(about(changes, ids, 'one-group'), signal)).toMatchObject({
        delivered: true,
      });
    const written = await said('shop', 'WordsRule');
    expect(written.map(({ note, series }) => [note.includes('1 more'), series?.count])).toEqual(
      expect.arrayContaining([
        [false, 2],
        [true, undefined],
      ]),
    );
    expect(written).toHaveLength(2);
  });

  test('of many findings about one row each, one Event on their subnet', async () => {
    const { items } = (await server.api.get('/apis/kubeovn.io/v1/subnets')) as {
      items: { metadata: { name: string; uid: string } }[];
    };
    const { name, uid } = items[0]!.metadata;
    const ids = Array.from({ length: 30 }, (_, n) => `row-${n}`);
    const sent = await sender.send(
      about({ rule: 'row-rule', scope: { subnet: name } }, ids),
      signal,
    );
    expect(sent).toMatchObject({ delivered: true, requests: 2 });
    const [event, ...others] = await said('default', 'RowRule');
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      regarding: { kind: 'Subnet', name, uid },
      note: expect.stringContaining('(and 19 more about this object)'),
    });
    expect((await said('default', 'MoreFindings'))[0]!.note).toMatch(/^10 more of: 30 findings/);
  });

  test('what is over is said on the objects that were named', async () => {
    const open = about({ rule: 'over-rule', subject }, ['over']);
    if (open.about !== 'findings') throw new Error('not about findings');
    const delivered = { at: 1, ids: ['over'], last: open.notification };
    const over = compose({ ...GROUP, delivered }, [], new Date())!.last;
    await sender.send({ about: 'findings', notification: over, before: open.notification }, signal);
    expect(await said('shop', 'OverRuleResolved')).toEqual([
      expect.objectContaining({ type: 'Normal', note: expect.stringMatching(/^Resolved: /) }),
    ]);
  });

  test('an action is an Event on what it was about, or on its VPC', async () => {
    const done = ActionRecord.parse(
      JSON.parse(readFileSync(join(ROOT, 'contracts/examples/action.v1.done.json'), 'utf8')),
    );
    const failed = { ...done, state: 'failed', target: { ...subject, kind: 'IP' } } as const;
    for (const action of [done, failed]) {
      const notification = composeActions(GROUP, [action], new Date())!;
      await sender.send({ about: 'actions', notification }, signal);
    }
    expect(await said('default', 'ActionDone')).toEqual([
      expect.objectContaining({
        type: 'Normal',
        action: 'RemoveLoadBalancerVip',
        regarding: expect.objectContaining({ kind: 'Vpc', name: 'ovn-cluster' }),
      }),
    ]);
    expect(await said('default', 'ActionFailed')).toEqual([
      expect.objectContaining({
        type: 'Warning',
        regarding: expect.objectContaining({ kind: 'IP' }),
      }),
    ]);
  });

  test('in a namespace that is not there nothing can be said, which holds nothing up', async () => {
    const nowhere = about({ subject: { ...subject, namespace: 'no-such' } }, ['nowhere']);
    expect(await sender.send(nowhere, signal)).toMatchObject({ delivered: true });
  });

  test.each(rightsIn(MANIFEST, ROLE))(
    'without the right to $name that is said, and the notification is kept',
    async (right) => {
      const { verb, on, name } = right;
      const rule = `no ${name}`;
      const scope = { vpcs: { vpc: 'ovn-cluster' }, subnets: { subnet: 'apps' } }[on] ?? {};
      const message = about({ rule, ...(on === 'events' ? { subject } : { scope }) }, [name]);
      const next = about({ rule, subject, severity: 'critical' }, [name]);
      // What is written for the first time needs no read of what is there, and no count.
      const isOfCount = on === 'events' && verb !== 'create';
      if (isOfCount) expect(await sender.send(message, signal)).toMatchObject({ delivered: true });
      await role.revoke(right);
      const fresh = senderAs('of-the-notifier', `without-${name.replace(' ', '-')}`);
      try {
        expect(await fresh.send(isOfCount ? next : message, signal)).toMatchObject({
          delivered: false,
          ofSink: true,
          why: expect.stringMatching(new RegExp(`HTTP 403: .*cannot ${verb} resource .${on}`)),
        });
      } finally {
        await fresh.close();
        await role.restore(right);
      }
      expect(await sender.send(next, signal)).toMatchObject({ delivered: true });
      expect(await sender.send(message, signal)).toMatchObject({ delivered: true });
    },
  );

  test('no right of its role is without use so far', () => {
    expect(role.unused()).toEqual([]);
  });

  test('each right that is missing is named, and the notification is kept', async () => {
    const without = senderAs('of-nobody', 'nobody');
    for (const message of [about({ subject }, ['x']), about({ scope: { subnet: 'apps' } }, ['y'])])
      expect(await without.send(message, signal)).toMatchObject({
        delivered: false,
        ofSink: true,
        why: expect.stringMatching(/HTTP 403: .*nobody.* cannot (create|get) resource/),
      });
    await without.close();
  });
});
