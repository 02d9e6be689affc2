import { wantedOf, type WantedText } from './wanted';

const text = (more: Partial<WantedText> = {}): WantedText => ({
  subject: 'subnet/apps',
  for: 'ready',
  pod: [],
  timeout: '5m',
  ...more,
});

test.each<[Partial<WantedText>, object]>([
  [{}, { subnet: 'apps', for: 'ready', pods: [], timeoutMs: 300_000 }],
  [
    { namespace: 'shop', timeout: '0s' },
    { namespace: 'shop', timeoutMs: 0 },
  ],
  [
    { for: 'pod-addressed', pod: ['shop/web-0', 'db/x.y'] },
    {
      pods: [
        { namespace: 'shop', name: 'web-0' },
        { namespace: 'db', name: 'x.y' },
      ],
    },
  ],
  [
    { for: 'pod-addressed', pod: ['web-0'], namespace: 'shop' },
    { pods: [{ namespace: 'shop', name: 'web-0' }] },
  ],
])('%j is understood', (more, wanted) => expect(wantedOf(text(more))).toMatchObject(wanted));

test.each<[Partial<WantedText>, RegExp]>([
  [{ subject: 'apps' }, /write subnet\/ and its name/],
  [{ subject: 'vpc/apps' }, /write subnet\//],
  [{ subject: 'subnet/a/b' }, /write subnet\//],
  [{ subject: 'subnet/' }, /cannot be the name/],
  [{ subject: 'subnet/..' }, /cannot be the name/],
  [{ subject: 'subnet/a?b' }, /cannot be the name/],
  [{ namespace: 'A' }, /cannot be the name/],
  [{ for: 'soon' }, /ready or pod-addressed/],
  [{ pod: ['shop/web-0'] }, /--pod is for --for pod-addressed/],
  [{ for: 'pod-addressed' }, /needs --pod/],
  [{ for: 'pod-addressed', pod: ['web-0'] }, /<namespace>\/<name>/],
  [{ for: 'pod-addressed', pod: ['a/b/c'] }, /<namespace>\/<name>/],
  [{ for: 'pod-addressed', pod: ['a/'] }, /cannot be the name/],
  [{ timeout: '5' }, /not a duration/],
  [{ timeout: '30d' }, /at most 24d/],
])('%j is refused in a sentence', (more, sentence) => {
  expect(() => wantedOf(text(more))).toThrow(
    expect.objectContaining({ code: 'config-invalid', message: expect.stringMatching(sentence) }),
  );
});
