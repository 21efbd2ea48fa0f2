/** Arguments with which this program runs jobs in plain Node. The binary uses node-guest.binary.ts instead. */

/** Undefined, because Node runs the guest program from its file. */
export const NODE_GUEST_ARGS: readonly string[] | undefined = undefined
