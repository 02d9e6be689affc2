/** Who acts on a cluster. */
export interface Acting {
  readonly cluster: string;
  /**
   * Until the signal fires: then the partition is another's. Rejects with what ends the executor,
   * unless trying again can mend it.
   */
  act(partition: number, fence: () => Promise<void>, signal: AbortSignal): Promise<void>;
}
