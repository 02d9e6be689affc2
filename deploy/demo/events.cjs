// What may happen in the demo cluster. The Kubernetes side is a recording and stands still, so the
// pods that come here are in no list of pods: their ports are suspected until a chassis holds them
// up, and again when it lets go. Kube-OVN removes most of them soon after; those it forgets are
// leaks: they outlast their grace, are confirmed, and end when somebody cleans up.

const commands = require('./commands.cjs');

/**
 * The group of a NetworkPolicy of the recording that selects some pods of its namespace and not the
 * others.
 */
const POLICY_GROUP = 'pg.from.ledger.payments';
const POLICY_NAMESPACE = 'payments';

const namespaceOf = (port) => port.externalIds.pod.split('/')[0];

function newPort({ luck }, host, address) {
  const pod = `${luck.pick(['checkout', 'report', 'import', 'mailer'])}-${luck.letters(9)}-${luck.letters(5)}`;
  const mac = [
    '0a',
    ...Array.from({ length: 5 }, () => luck.between(0, 255).toString(16).padStart(2, '0')),
  ].join(':');
  const namespace = namespaceOf(host);
  return {
    name: `${pod}.${namespace}`,
    addresses: `${mac} ${address}`,
    groups: [],
    externalIds: { ls: host.externalIds.ls, pod: `${namespace}/${pod}`, vendor: 'kube-ovn' },
  };
}

/** A pod that comes, runs and goes; its port is removed so many steps later. */
function visit(cast, port, { stays, removed }) {
  const { pod } = port.externalIds;
  const leaves = (it) => {
    it.go();
    return { says: `${removed}: ${port.name}`, command: commands.remove(port) };
  };
  const stops = (it) => {
    it.later(stays, leaves);
    return { says: `pod ${pod} ends`, command: commands.setUp(port, false) };
  };
  const runs = (it) => {
    it.later(it.luck.between(4, 12), stops);
    return { says: `pod ${pod} runs`, command: commands.setUp(port, true) };
  };
  cast.come();
  cast.later(2, runs);
  return { says: `pod ${pod} is new, with port ${port.name}`, command: commands.add(port, false) };
}

const events = {
  restart(cast) {
    const port = cast.somebody();
    return {
      says: `pod ${port.externalIds.pod} restarts, its port is recreated`,
      command: commands.renew(port),
    };
  },

  guest(cast) {
    if (!cast.roomForGuests()) return events.restart(cast);
    const host = cast.somebody();
    return visit(cast, newPort(cast, host, cast.addressBeside(host)), {
      stays: 2,
      removed: 'its port is removed',
    });
  },

  leak(cast) {
    const host = cast.somebody();
    return visit(cast, newPort(cast, host, cast.addressBeside(host)), {
      stays: cast.luck.between(60, 120),
      removed: 'somebody cleans up a port that was forgotten',
    });
  },

  /** An address given out a second time, as after a restart that forgot who has it. */
  twin(cast) {
    const host = cast.somebody();
    const steps = cast.luck.between(40, 60);
    const port = newPort(cast, host, host.addresses.split(' ')[1]);
    cast.hold(host, steps, () => ({
      says: `somebody cleans up a port with an address of another: ${port.name}`,
      command: commands.remove(port),
    }));
    return {
      says: `port ${port.name} is made with the address of ${host.name}`,
      command: commands.add(port, false),
    };
  },

  lost(cast) {
    const port = cast.somebody();
    cast.hold(port, cast.luck.between(30, 50), () => ({
      says: `pod ${port.externalIds.pod} gets its port back`,
      command: commands.add(port, true),
    }));
    return {
      says: `pod ${port.externalIds.pod} runs on, but its port is lost`,
      command: commands.remove(port),
    };
  },

  stray(cast) {
    const port = cast.somebody(
      (it) => namespaceOf(it) === POLICY_NAMESPACE && !it.groups.includes(POLICY_GROUP),
    );
    if (!port) return events.restart(cast);
    cast.hold(port, cast.luck.between(30, 60), () => ({
      says: `port ${port.name} leaves port group ${POLICY_GROUP}`,
      command: commands.leave(port, POLICY_GROUP),
    }));
    return {
      says: `port ${port.name} gets into port group ${POLICY_GROUP}, whose policy does not select its pod`,
      command: commands.join(port, POLICY_GROUP),
    };
  },
};

module.exports = events;
