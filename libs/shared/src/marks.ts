/**
 * Annotation on an object that stays: a deletion of it was called off. The object got another version by it, so that a request still under way is refused. Says nothing about the
 * object: to collectors it is not there.
 */
export const CALLED_OFF = 'ovn-steward.dev/called-off';
