import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { watchDenials } from '@ovn-steward/guard/watch-denials';
import { describeWith, kubernetes, ovn } from '@ovn-steward/testbed/fixture';
import type { KubernetesServer } from '@ovn-steward/testbed/kubernetes';
import { GrantedRole, rightsIn } from '@ovn-steward/testbed/kubernetes/granted-role';
import type { KubernetesObject } from '@ovn-steward/testbed/kubernetes/objects';
import type { OvnServer } from '@ovn-steward/testbed/ovn';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import { parseAllDocuments } from 'yaml';
import { kubernetesOf } from './inputs/kubernetes';
import { startSteward, steward } from './testing/cli';
import { ROOT } from './testing/pages';
import { type RightsBed, startRightsBed } from './testing/rights-bed';

const ACCOUNT = 'system:serviceaccount:ovn-steward:ovn-steward-guard';
const READY = ['Validated', 'Ready'].map((type) => ({ type, status: 'True' }));
const ROLE = 'ovn-steward-guard';
const KUBE_OVN = '/apis/kubeovn.io/v1';
const POLICY = 'ovn-steward-external-vpc';
const POLICIES = 'validatingadmissionpolicies';
const DEFINITIONS = 'customresourcedefinitions';
const GATE = 'ovn-steward.dev/subnet-ready';

const deployed = (name: string): KubernetesObject[] =>
  parseAllDocuments(readFileSync(join(ROOT, 'deploy', name), 'utf8')).map(
    (it) => it.toJS() as KubernetesObject,
  );
const RIGHTS = rightsIn(deployed('rbac-guard.yaml'), ROLE);

describeWith(kubernetes, 'the account of the guards, on kube-apiserver', () => {
  describeWith(ovn, 'and OVN', () => {
    let bed: RightsBed;
    let server: KubernetesServer;
    let northbound: OvnServer;
    let role: GrantedRole;
    let kubeconfig = '';
    let lives = 0;

    beforeAll(async () => {
      bed = await startRightsBed(ACCOUNT);
      ({ server, northbound, kubeconfig } = bed);
      await server.apply([...deployed('rbac-guard.yaml'), ...deployed('rbac-pods.yaml')]);
      role = new GrantedRole(server, deployed('rbac-guard.yaml'), ROLE, ACCOUNT);
      const installed = ['guard', 'install', '--yes', '--kubernetes', server.kubeconfig];
      expect(await steward(installed)).toMatchObject({ code: 0, stderr: '' });
    }, 180_000);
    afterAll(() => bed?.stop());

    const gone = (path: string) => server.api.get(path).catch(() => undefined);
    const remove = (path: string) => server.api.send('DELETE', path).catch(() => undefined);

    /**
     * Both guards at work for a Vpc that is deleted before its Subnet, and for a pod whose Subnet
     * comes late, until they have said what is waited for. Gives all that they said.
     */
    const live = async (
      until: (said: string) => boolean,
      what: string,
      { subnets = true } = {},
    ): Promise<string> => {
      const id = `life-${(lives += 1)}`;
      const kubeOvn = (kind: string, name: string, spec: object) =>
        ({ apiVersion: 'kubeovn.io/v1', kind, metadata: { name }, spec }) as KubernetesObject;
      await server.apply([
        kubeOvn('Vpc', id, {}),
        ...(subnets
          ? [kubeOvn('Subnet', `${id}-web`, { vpc: id, cidrBlock: '10.99.0.0/24' })]
          : []),
        {
          apiVersion: 'v1',
          kind: 'Namespace',
          metadata: {
            name: id,
            labels: { 'ovn-steward.dev/subnet': `${id}-late` },
            annotations: { 'ovn.kubernetes.io/logical_switch': `${id}-late` },
          },
        },
        {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'held', namespace: id },
          spec: { schedulingGates: [{ name: GATE }], containers: [{ name: 'main', image: 'x' }] },
        } as KubernetesObject,
      ]);
      let said = '';
      const to = ['--kubernetes', kubeconfig, '--ovn-nb', northbound.remote];
      const running = ['run', 'gates'].map((command) => {
        const child = startSteward(['guard', command, ...to]);
        for (const stream of [child.stdout!, child.stderr!])
          stream.setEncoding('utf8').on('data', (text: string) => {
            said += text;
          });
        return { child, ended: new Promise((resolve) => child.on('close', resolve)) };
      });
      /** What people do meanwhile, each as soon as it has its time. */
      const goOn = async (): Promise<void> => {
        const vpc = (await gone(`${KUBE_OVN}/vpcs/${id}`)) as KubernetesObject | undefined;
        if (vpc?.metadata['finalizers'] && !vpc.metadata['deletionTimestamp'])
          await remove(`${KUBE_OVN}/vpcs/${id}`);
        if (said.includes(`for the subnet ${id}-web`))
          await remove(`${KUBE_OVN}/subnets/${id}-web`);
        const late = `${KUBE_OVN}/subnets/${id}-late`;
        if (subnets && said.includes(`Subnet ${id}-late to be`) && !(await gone(late))) {
          await server.apply([
            kubeOvn('Subnet', `${id}-late`, { vpc: 'ovn-cluster', cidrBlock: '10.98.0.0/24' }),
          ]);
          await server.api.send('PUT', `${late}/status`, {
            ...((await server.api.get(late)) as object),
            status: { conditions: READY },
          });
        }
      };
      try {
        await waitFor(
          async () => {
            await goOn();
            return until(said);
          },
          { what, timeoutMs: 40_000 },
        );
      } catch (error) {
        throw new Error(`not said: ${what}, but: ${said}`, { cause: error });
      } finally {
        for (const { child } of running) child.kill('SIGTERM');
        await Promise.all(running.map((it) => it.ended));
        await remove(`${KUBE_OVN}/subnets/${id}-web`);
        await remove(`/api/v1/namespaces/${id}/pods/held`);
      }
      return said;
    };

    /** The executor and `guard run` read every five minutes what was refused; here without pause. */
    const watchUntil = async (until: () => boolean | Promise<boolean>, failures: string[]) => {
      const client = kubernetesOf({ kubernetes: kubeconfig });
      const stop = new AbortController();
      const ended = watchDenials(
        {
          kubernetes: client,
          everyMs: 100,
          onEvent: (it) => it.type === 'guard-failed' && failures.push(it.error),
        },
        stop.signal,
      );
      try {
        await waitFor(
          async () => {
            await remove(`${KUBE_OVN}/vpcs/edge-lr?dryRun=All`);
            return until();
          },
          { what: 'what was refused to be known', timeoutMs: 30_000 },
        );
      } finally {
        stop.abort();
        await ended;
        await client.close();
      }
    };

    test('with all rights they guard, say what is waited for, free and lift, and nothing else', async () => {
      const said = await live(
        (it) => /freed {3}Vpc life-1\n/.test(it) && it.includes('lifted'),
        'freed and lifted',
      );
      expect(said).not.toContain('guard:');
    });

    const ELSEWHERE = [POLICIES, DEFINITIONS];
    test.each(RIGHTS.filter(({ on }) => !ELSEWHERE.includes(on)))(
      'without the right to $name that is said, and which right it is',
      async (right) => {
        const { verb, on } = right;
        const words =
          on === 'events'
            ? 'the right to create events of events.k8s.io'
            : `cannot ${verb} ${on.startsWith('/') ? 'path' : 'resource'} "${on}"`;
        await role.revoke(right);
        try {
          await live((said) => said.includes(words), words);
        } finally {
          await role.restore(right);
        }
      },
    );

    test('without the right to get our policies it says that the count is not on them', async () => {
      const right = RIGHTS.find(({ on }) => on === POLICIES)!;
      await role.revoke(right);
      const failures: string[] = [];
      try {
        await watchUntil(() => failures.length > 0, failures);
      } finally {
        await role.restore(right);
      }
      expect(failures[0]).toMatch(
        /could not be recorded on the policy.*cannot get resource "validatingadmissionpolicies"/,
      );
    });

    test('without the right to get definitions nobody knows why no Subnets are served', async () => {
      const path = `/apis/apiextensions.k8s.io/v1/${DEFINITIONS}/subnets.kubeovn.io`;
      const definition = (await server.api.get(path)) as { spec: { versions: object[] } };
      const versions = definition.spec.versions.map((it) => ({ ...it, served: false }));
      await server.api.send('PUT', path, { ...definition, spec: { ...definition.spec, versions } });
      await waitFor(async () => (await gone(`${KUBE_OVN}/subnets`)) === undefined, {
        what: 'Subnets to be served no more',
        timeoutMs: 60_000,
      });
      const right = RIGHTS.find(({ on }) => on === DEFINITIONS)!;
      const says = (words: string) => live((it) => it.includes(words), words, { subnets: false });
      await role.revoke(right);
      await says(`cannot get resource "${DEFINITIONS}"`);
      await role.restore(right);
      await says('subnets.kubeovn.io exists, but the API server serves none of its versions now');
    });

    test('no right of the role was without use so far', async () => {
      const failures: string[] = [];
      await watchUntil(async () => {
        const { items } = (await server.api.get(
          '/apis/events.k8s.io/v1/namespaces/default/events',
        )) as { items: { regarding: { name: string } }[] };
        return items.some((it) => it.regarding.name === POLICY);
      }, failures);
      expect(failures).toEqual([]);
      expect(RIGHTS.length).toBeGreaterThan(14);
      expect(role.unused()).toEqual([]);
    });
  });
});
