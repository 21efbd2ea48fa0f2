/** How this program is told to run jobs in plain Node. The binary takes node-guest.binary.ts in this file's place. */

/** Undefined: Node runs the guest program from its file. */
export const NODE_GUEST_ARGS: readonly string[] | undefined = undefined
