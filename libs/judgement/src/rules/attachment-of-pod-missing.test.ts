import { object, pod } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './attachment-of-pod-missing';

const nad = (key: string) => object('NetworkAttachmentDefinition', key);
const attached = (networks: string, over: Record<string, unknown> = {}) =>
  pod('shop/web-0', {
    metadata: { annotations: { 'k8s.v1.cni.cncf.io/networks': networks } },
    ...over,
  });
const says = (key: string) =>
  `pod shop/web-0 names NetworkAttachmentDefinition ${key}, which does not exist`;

testRule(rule, {
  healthy: {
    'it is there': world(nad('shop/data'), attached('data')),
    'it is there, in another namespace and on an interface of a name': world(
      nad('infra/storage'),
      attached('infra/storage@net1'),
    ),
    'all of a list are there': world(
      nad('shop/data'),
      nad('infra/storage'),
      attached('[{"name":"data"},{"name":"storage","namespace":"infra","interface":"net1"}]'),
    ),
    'it names none': world(nad('shop/data'), attached(''), pod('shop/web-1')),
    'the list is cut off': world(nad('shop/data'), attached('[{"name":"gone"')),
    'the list is of something else': world(nad('shop/data'), attached('[1, null, {"name":5}]')),
    'the text names nothing': world(nad('shop/data'), attached('a b, /, @net1')),
    'there is none at all: none may be served': world(attached('data')),
    'none is served': world(attached('data')).notInstalled('NetworkAttachmentDefinition'),
    'it completed': world(nad('shop/x'), attached('data', { status: { phase: 'Succeeded' } })),
    'it is being deleted': world(
      nad('shop/x'),
      attached('data', {
        metadata: {
          annotations: { 'k8s.v1.cni.cncf.io/networks': 'data' },
          deletionTimestamp: '2026-01-01T00:00:00Z',
        },
      }),
    ),
    "it is on the host's network": world(
      nad('shop/x'),
      attached('data', { spec: { hostNetwork: true } }),
    ),
  },
  violation: {
    'it is in another namespace only': {
      given: world(nad('infra/data'), attached('data')),
      summary: says('shop/data'),
      parts: ['metadata.annotations=shop/data'],
    },
    'one of several is gone': {
      given: world(nad('shop/data'), attached('data, infra/storage@net1, data')),
      summary: says('infra/storage'),
    },
    'two of a list are gone': {
      given: world(
        nad('shop/x'),
        attached('[{"name":"data"},{"name":"storage","namespace":"infra"},{"name":"data"}]'),
      ),
      summary: [says('shop/data'), says('infra/storage')],
    },
    'it does not run yet': {
      given: world(nad('shop/x'), attached('data', { status: { phase: 'Pending' } })),
      summary: says('shop/data'),
    },
  },
});
