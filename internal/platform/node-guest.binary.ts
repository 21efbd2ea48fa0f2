/** How the binary is told to run jobs in plain Node: it is Node, but runs no other program than itself. */
export const NODE_GUEST_ARGS: readonly string[] | undefined = ['__sandbox']
