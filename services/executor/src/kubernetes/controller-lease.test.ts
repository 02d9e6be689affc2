import { ledByController } from './controller-lease';

const NOW = Date.parse('2026-01-01T12:00:00Z');
const led = (spec: Record<string, unknown> | undefined) =>
  ledByController({ get: async () => spec && ({ metadata: { name: 'kube-ovn-controller', uid: 'u', resourceVersion: '1' }, spec }) }, NOW, new AbortController().signal);

test.each([
  ['there is no Lease', undefined],
  ['nobody holds it', { holderIdentity: '', renewTime: '2026-01-01T12:00:00Z' }],
  ['its holder has been silent for more than ten minutes', { holderIdentity: 'x', renewTime: '2026-01-01T11:49:59.000000Z' }],
])('nobody leads when %s', async (_, spec) => expect(await led(spec)).toBeUndefined());

test.each([
  ['it was just renewed', { holderIdentity: 'x', renewTime: '2026-01-01T11:59:58.123456Z' }],
  ['it was renewed ten minutes ago', { holderIdentity: 'x', renewTime: '2026-01-01T11:50:00Z' }],
  ['our clock is behind', { holderIdentity: 'x', renewTime: '2026-01-01T13:00:00Z' }],
  ['nobody says when it was renewed', { holderIdentity: 'x' }],
  ['the time cannot be read', { holderIdentity: 'x', renewTime: 'soon' }],
])('somebody may lead when %s', async (_, spec) => expect(await led(spec)).toMatchObject({ is: 'refused', code: 'in-use' }));

test('fails when it cannot be read: that is no answer', async () => {
  await expect(ledByController({ get: () => Promise.reject(new Error('away')) }, NOW, new AbortController().signal)).rejects.toThrow('away');
});
