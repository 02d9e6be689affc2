import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { relatedTo, withoutOthersAttachments } from './related';
import type { SeenChange } from './seen-change';

const ref = (kind: string, uid: string) => ({ source: 'ovn-nb', kind, name: 'n', uid }) as const;
const FINDING = {
  subject: ref('Logical_Switch_Port', 's'),
  concerns: [ref('ACL', 'c')],
  proof: [
    { fact: 'absent', source: 'kubernetes', kind: 'Pod', key: 'shop/a' },
    { fact: 'present', subject: ref('Logical_Switch', 'p') },
  ],
  remedy: { action: 'x', advice: 'y', target: ref('NAT', 'r') },
} as unknown as Finding;
const change = (kind: string, name: string, uid = name, namespace?: string, object = {}) =>
  ({ type: 'put', kind, name, uid, namespace, object: { metadata: {}, ...object } }) as never;

test.each([
  ['the subject', change('Logical_Switch_Port', 'x', 's'), true],
  ['the same uid in another table', change('ACL', 'x', 's'), false],
  ['what goes with it', change('ACL', 'x', 'c'), true],
  ['what its proof names', change('Logical_Switch', 'x', 'p'), true],
  ['what is to be removed', change('NAT', 'x', 'r'), true],
  ['what its proof calls absent', change('Pod', 'a', 'u', 'shop'), true],
  ['a namesake in another namespace', change('Pod', 'a', 'u', 'pay'), false],
  ['the Lease of the controller', change('Lease', 'kube-ovn-controller'), true],
  ['a Lease of others', change('Lease', 'node-1'), false],
])('%s: %#', (_, given, is) => expect(relatedTo(FINDING)(given)).toBe(is));

test('attachments are shown where a pod among the changes names them', () => {
  const metadata = { annotations: { 'k8s.v1.cni.cncf.io/networks': 'net' } };
  const changes = [
    change('Pod', 'a', 'u', 'shop', { metadata }),
    change('NetworkAttachmentDefinition', 'net', 'n', 'shop'),
    change('NetworkAttachmentDefinition', 'net', 'm', 'pay'),
  ].map((it): SeenChange => ({ change: it, position: '' }));
  expect(withoutOthersAttachments(changes).map((it) => it.change.uid)).toEqual(['u', 'n']);
});
