import { z } from 'zod';
import { Name, section, Text, chartValue } from './value-kit';

/** Who signs a certificate. */
export const issuer = section(
  {
    name: chartValue(
      Name,
      '',
      'Its name. Empty: no certificate is asked of cert-manager, and a Secret is needed.',
    ),
    kind: chartValue(z.enum(['Issuer', 'ClusterIssuer']), 'Issuer', 'Its kind.'),
    group: chartValue(Text, 'cert-manager.io', 'Its API group.'),
  },
  'The issuer of cert-manager that signs the client certificate.',
);
