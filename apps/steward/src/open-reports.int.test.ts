import { request } from 'node:https';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeWith, kubernetes } from '@ovn-steward/testbed/fixture';
import { type KubernetesServer, startKubernetes } from '@ovn-steward/testbed/kubernetes';
import { recording } from '@ovn-steward/testbed/recordings';
import { parseAllDocuments } from 'yaml';
import { steward } from './testing/cli';

interface ReportObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly results: unknown[];
}
const DEFINITIONS = ['reports', 'clusterreports'];

let cluster: KubernetesServer;
const send = (
  method: string,
  path: string,
  type: string,
  body: string,
): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const sent = request(
      new URL(path, cluster.url),
      {
        method,
        ca: cluster.ca,
        headers: { authorization: `Bearer ${cluster.token}`, 'content-type': type },
      },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (it: string) => (text += it));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });

/** As `kubectl apply --server-side --validate=strict` does. */
const apply = ({ kind, metadata }: ReportObject, body: object) => {
  const where = metadata.namespace === undefined ? '' : `/namespaces/${metadata.namespace}`;
  const path = `/apis/openreports.io/v1alpha1${where}/${kind.toLowerCase()}s/${metadata.name}`;
  return send(
    'PATCH',
    `${path}?fieldManager=test&fieldValidation=Strict`,
    'application/apply-patch+yaml',
    JSON.stringify(body),
  );
};

describeWith(kubernetes, 'a cluster with the definitions of OpenReports', () => {
  beforeAll(async () => {
    cluster = await startKubernetes({ recording: recording('leaky', 'kubernetes.json') });
    for (const plural of DEFINITIONS) {
      const path = join(__dirname, `report/testing/openreports.io_${plural}.yaml`);
      const { status, text } = await send(
        'POST',
        '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
        'application/yaml',
        readFileSync(path, 'utf8'),
      );
      if (status !== 201) throw new Error(text);
    }
  }, 180_000);
  afterAll(() => cluster?.stop());

  it('takes what steward report writes of a leaky recording, one object a namespace or subnet', async () => {
    const { code, stdout } = await steward([
      'report',
      ...['--ovn-nb', recording('leaky', 'nb.db'), '--kubernetes', recording('leaky', '.')],
      ...['-o', 'openreports'],
    ]);
    expect(code).toBe(2);
    const objects = parseAllDocuments(stdout).map((it) => it.toJS() as ReportObject);
    const places = objects.map((it) => `${it.kind}/${it.metadata.namespace}/${it.metadata.name}`);
    expect(new Set(places).size).toBe(objects.length);
    expect(objects.some((it) => it.kind === 'Report')).toBe(true);
    for (const report of objects) {
      let answer = await apply(report, report);
      // The API server serves a new definition a moment after it took it.
      for (; answer.status === 404 && answer.text.includes('page not found'); await sleep(100))
        answer = await apply(report, report);
      expect(answer).toMatchObject({ status: 201 });
    }
    const refused = await apply(objects[0]!, { ...objects[0]!, colour: 'red' });
    expect(refused.status).toBeGreaterThanOrEqual(400);
  }, 180_000);
});
