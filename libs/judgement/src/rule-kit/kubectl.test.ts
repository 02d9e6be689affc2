import { kubectlDelete, kubectlEdit, kubectlGone, kubectlThrowAway } from './kubectl';

test.each([
  [kubectlDelete({ kind: 'Subnet', name: 'apps' }), 'kubectl delete subnets.kubeovn.io apps'],
  [
    kubectlDelete({ kind: 'Pod', name: 'web-0', namespace: 'shop' }),
    'kubectl delete -n shop pods web-0',
  ],
  [kubectlEdit({ kind: 'Subnet', name: 'apps' }), 'kubectl edit subnets.kubeovn.io apps'],
  [
    kubectlGone({ kind: 'OvnFip', name: 'web' }),
    'kubectl wait --for=delete --timeout=5m ovn-fips.kubeovn.io/web',
  ],
  [
    kubectlThrowAway('Vip', 'recount-apps', { subnet: 'apps' }, 'sleep 5'),
    `echo '{"apiVersion":"kubeovn.io/v1","kind":"Vip","metadata":{"name":"recount-apps"},"spec":{"subnet":"apps"}}' | kubectl create -f - && sleep 5 && kubectl delete vips.kubeovn.io recount-apps`,
  ],
])('%s', (line, is) => expect(line).toBe(is));

test.each([
  ['a row', 'Logical_Switch', 'apps', ''],
  ["a shell's word", 'Subnet', '$(reboot)', ''],
  ['an option', 'Subnet', '--all', ''],
  ['nothing', 'Subnet', '', ''],
  ["another namespace's words", 'Pod', 'web-0', 'x; reboot'],
  ['a pod without a namespace', 'Pod', 'web-0', ''],
])('there is no line for %s', (_, kind, name, namespace) => {
  for (const say of [kubectlDelete, kubectlEdit, kubectlGone])
    expect(say({ kind, name, namespace })).toBeUndefined();
});

test('nothing foreign comes into what is made', () => {
  expect(kubectlThrowAway('Vip', 'x', { subnet: "'; reboot #" }, 'sleep 5')).toBeUndefined();
  expect(kubectlThrowAway('Vpc', '$(reboot)', {}, 'sleep 5')).toBeUndefined();
  expect(
    kubectlThrowAway('Vpc', 'tenant', {}, kubectlGone({ kind: 'OvnFip', name: '`reboot`' })),
  ).toBeUndefined();
});
