import { audited, saying } from '../audited';
import type { Scenario } from './scenario';
import { AT_ONCE } from './scenario';

export const read: Scenario = {
  name: 'read',
  about: 'An audit finds nothing, the doctor nothing that hangs, and a bound subnet is ready.',
  async run({ rig, shell }) {
    const as = `--kubernetes ${rig.kubeconfigs.executor}`;
    const opened = shell(AT_ONCE);
    const { findings, unknowns } = await audited(opened);
    const doctor = await opened.run('steward doctor --output json');
    const ready = await opened.run(`steward wait subnet/apps --namespace shop --timeout 30s ${as}`);
    const never = await opened.run(`steward wait subnet/none --timeout 0s ${as}`);
    opened.close();
    return [
      ...findings.map((found) => `found: ${saying(found)}`),
      ...unknowns.map(({ rule, reason }) => `not judged: ${rule}: ${reason}`),
      ...(doctor.code === 0 ? [] : [`the doctor ended with ${doctor.code}: ${doctor.stdout}`]),
      ...(ready.code === 0 ? [] : [`wait ended with ${ready.code}: ${ready.stdout}`]),
      ...(never.code === 0 ? ['a subnet that is not there is ready'] : []),
    ];
  },
};
