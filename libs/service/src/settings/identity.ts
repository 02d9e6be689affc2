/** The identity of a service, to people and to its log. */
export interface ServiceIdentity {
  /** `collector`: the field `service` of every line it logs. */
  readonly name: string;
  /** `steward-collector`: what it is started as. */
  readonly command: string;
  readonly version: string;
  /** One sentence: what it does. */
  readonly description: string;
  /** Where it listens by default, so that all services can run on one machine. */
  readonly listen: string;
}
