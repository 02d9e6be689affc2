import { describeWith, kubernetes, ovn } from '@ovn-steward/testbed/fixture';
import { INCIDENTS } from './incidents/registry';
import { runIncident } from './incidents/run-incident';

describeWith(ovn, 'with a living OVN', () => {
  describeWith(kubernetes, 'and a living Kubernetes, without and with ovn-steward', () => {
    test.each(INCIDENTS.map((it) => [it.name, it] as const))(
      '%s',
      async (_, incident) => {
        const { unprotected, guarded } = await runIncident(incident);
        expect(unprotected).toEqual(incident.unprotected);
        expect(guarded).toEqual(incident.guarded);
      },
      240_000,
    );
  });
});
