/** Why nothing is put back of a pod that was evicted or deleted, as a clause. */
export const POD_REPLACED =
  'a pod cannot be put back: its controller has created another in its place';
