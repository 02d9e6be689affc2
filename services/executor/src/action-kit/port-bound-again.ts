/** What putting a port back does not bring back. */
export const PORT_BOUND_AGAIN =
  'Southbound makes a new Port_Binding with a new tunnel key: the port is down until it is bound again, and traffic through it was cut';
