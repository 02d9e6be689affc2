import { planWorld } from './plan';

describe.each([60, 61, 999, 20_000])('a plan of %d ports', (ports) => {
  const plan = planWorld({ ports });
  const withPort = plan.nics.filter((it) => it.has.port);

  test('has that many, router ports included, and three quarters as many pods', () => {
    expect(withPort.length + plan.subnets.length).toBe(ports);
    expect(plan.pods).toHaveLength(Math.round(ports * 0.75));
  });

  test('gives no name, address or identity twice', () => {
    for (const one of [
      plan.nics.map((it) => it.name),
      plan.nics.map((it) => `${it.subnet.name} ${it.address}`),
      plan.nics.map((it) => plan.ids.uuid('port', it.number)),
      plan.pods.map((it) => `${it.namespace}/${it.name}`),
      plan.nics.map((it) => plan.ids.mac(it.number)),
    ]) {
      expect(new Set(one).size).toBe(one.length);
    }
  });

  test('plants leaks of every sort', () => {
    const leaked = plan.nics.filter((it) => !it.up && it.podType !== 'VirtualMachine');
    expect(leaked.length).toBeGreaterThanOrEqual(ports / 100);
    expect(new Set(leaked.map((it) => `${it.podType} ${it.has.port} ${it.has.ip}`))).toEqual(
      new Set([' true true', ' true false', ' false true', 'StatefulSet true true']),
    );
  });
});

test('a crowd is in one subnet and one namespace, another seed is another world', () => {
  const { nics, ids } = planWorld({
    ports: 1000,
    portsPerSubnet: 60_000,
    podsPerNamespace: 50_000,
  });
  expect(
    new Set(nics.filter((it) => it.namespace.startsWith('team-')).map((it) => it.namespace)),
  ).toEqual(new Set(['team-1']));
  expect(new Set(nics.map((it) => it.subnet.name))).toEqual(
    new Set(['apps-1', 'storage-1', 'machines', 'join']),
  );
  expect(ids.uuid('pod', 1)).toBe(planWorld({ ports: 60 }).ids.uuid('pod', 1));
  expect(ids.uuid('pod', 1)).not.toBe(planWorld({ ports: 60, seed: 2 }).ids.uuid('pod', 1));
});
