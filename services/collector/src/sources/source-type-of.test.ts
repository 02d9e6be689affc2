import { join } from 'node:path';
import { kubernetesServer } from './kubernetes/kubernetes-server.source';
import { ovnFile } from './ovn/ovn-file.source';
import { ovnServers } from './ovn/ovn-servers.source';
import { recordedKubernetes } from './recording/recorded-kubernetes.source';
import { formsOf, sourceTypeOf } from './source-type-of';

const NONE = join(__dirname, 'none');

test('gives the type that accepts what is named', () => {
  expect(sourceTypeOf('ovn-sb', 'tcp:127.0.0.1:6642')).toBe(ovnServers);
  expect(sourceTypeOf('ovn-sb', '/var/lib/ovn/ovnsb_db.db')).toBe(ovnFile);
  expect(sourceTypeOf('kubernetes', undefined)).toBe(kubernetesServer);
  expect(sourceTypeOf('kubernetes', __dirname)).toBe(recordedKubernetes);
});

test('fails where what is named has to be read for that, and does not exist', () => {
  expect(() => sourceTypeOf('kubernetes', NONE)).toThrow(
    expect.objectContaining({ code: 'input-not-found' }),
  );
});

test('gives a type of a living system where only such are wanted, whatever is named', () => {
  expect(sourceTypeOf('ovn-nb', '/var/lib/ovn/ovnnb_db.db', true)).toBe(ovnServers);
  expect(sourceTypeOf('kubernetes', NONE, true)).toBe(kubernetesServer);
});

test('names the forms of a system, recordings first', () => {
  expect(formsOf('kubernetes')).toBe(
    'a dump (file or folder, see docs/recordings.md), or a kubeconfig',
  );
});
