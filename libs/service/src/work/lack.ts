/** Something a service lacks to be of use. */
export interface Lack {
  /** One word or name: `log`, `work`, a source, a partition. */
  readonly what: string;
  /** One sentence for a person. */
  readonly detail: string;
}
