import { z } from 'zod';
import { issuer } from './issuer';
import { Flag, Name, Port, section, Text, chartValue } from './value-kit';

/** The value `kubeOvn`. */
export const KubeOvn = section(
  {
    namespace: chartValue(Name, 'kube-system', 'The namespace Kube-OVN runs in.'),
    controller: chartValue(
      Name,
      'kube-ovn-controller',
      'Its Deployment, whose `ENABLE_SSL` says at the installation whether OVN speaks TLS.',
    ),
    northbound: section(
      {
        service: chartValue(Name, 'ovn-nb', 'The Service of its Northbound.'),
        port: chartValue(Port, 6641, 'The port of that Service.'),
      },
      'Where its Northbound is, unless `settings.ovnNb.remote` says otherwise.',
    ),
    southbound: section(
      {
        read: chartValue(
          Flag,
          false,
          'Whether the Southbound is read as well, for the rules about chassis and bindings. It is also read where `settings.ovnSb.remote` is set.',
        ),
        service: chartValue(Name, 'ovn-sb', 'The Service of its Southbound.'),
        port: chartValue(Port, 6642, 'The port of that Service.'),
      },
      'Where its Southbound is, unless `settings.ovnSb.remote` says otherwise. It is reached by TLS where the Northbound is, with the same certificates.',
    ),
  },
  'Kube-OVN, as it is found when the release is installed or upgraded.',
);

/** The value `ovnTls`. */
export const OvnTls = section(
  {
    use: chartValue(
      z.enum(['auto', 'always', 'never']),
      'auto',
      'Whether the Northbound is reached by TLS: `auto` is what `settings.ovnNb.remote` says (`ssl:`) or, without it, what Kube-OVN’s controller does.',
    ),
    secretName: chartValue(
      Name,
      '',
      'The Secret with the three PEM files, in the namespace of the release. Empty: Kube-OVN’s `kube-ovn-tls`, which is copied where the release lies in another namespace.',
    ),
    keys: section(
      {
        ca: chartValue(Text, 'cacert', 'Of the authority that signed the server.'),
        certificate: chartValue(Text, 'cert', 'Of the client’s certificate.'),
        privateKey: chartValue(Text, 'key', 'Of the client’s key.'),
      },
      'The keys in that Secret. With an issuer: `ca.crt`, `tls.crt`, `tls.key`.',
    ),
    issuer,
    serverName: chartValue(
      Text,
      'ovn',
      'The name in the server’s certificate where `settings.ovnNb` has neither `serverName` nor `verifyName`: Kube-OVN’s is made for `ovn`. Empty: the host of the remote.',
    ),
  },
  'TLS to OVN.',
);
