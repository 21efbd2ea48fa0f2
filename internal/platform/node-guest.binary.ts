/** Arguments with which the binary runs jobs in plain Node: it contains Node, but runs only its own program. */
export const NODE_GUEST_ARGS: readonly string[] | undefined = ['__sandbox']
