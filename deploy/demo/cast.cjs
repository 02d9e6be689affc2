/** New pods at a time: a demo that only grows would be no cluster. */
const GUESTS = 6;

/**
 * Who is on the stage: the ports of the recording, which of them something is the matter with, and
 * the pods that are new.
 */
module.exports.castOf = function ({ ports, luck, later }) {
  const busy = new Set();
  let guests = 0;
  let addresses = 0;
  return {
    luck,
    later,
    /** A port nothing is the matter with. */
    somebody: (fits = () => true) =>
      luck.pick(ports.filter((it) => !busy.has(it.name) && fits(it))),
    /** Nothing else happens to the port until the event after so many steps. */
    hold(port, steps, event) {
      busy.add(port.name);
      later(steps, (cast) => {
        busy.delete(port.name);
        return event(cast);
      });
    },
    roomForGuests: () => guests < GUESTS,
    come: () => {
      guests++;
    },
    go: () => {
      guests--;
    },
    /** An address of the port's network in its upper half, where the recorded pods have none. */
    addressBeside(port) {
      const [a, b, c] = port.addresses.split(' ')[1].split('.');
      return `${a}.${b}.${c}.${128 + (addresses++ % 120)}`;
    },
  };
};
