/**
 * Annotation on an object that stays: a deletion of it was called off. The object got another
 * version by it, so that a request still under way is refused. Says nothing about the object: to
 * collectors it is not there.
 */
export const CALLED_OFF = 'ovn-steward.dev/called-off';

/**
 * Annotation, or external_id of a row: a person keeps this, whatever is found about it. The value
 * says why.
 */
export const PROTECT = 'ovn-steward.dev/protect';
