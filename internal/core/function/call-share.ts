/**
 * Decides whether a call of a function may start. Short calls are fastest when few processes share the cores, so further calls
 * wait their turn. A call that has waited a while runs in parallel, because the running ones are then waiting for something
 * themselves. No workspace and no client may take so much that nothing is left for the next one. A client may hold a call for as
 * long as its function may run, because functions wait for readers.
 */
export type CallLimits = Readonly<{
  /** Running calls up to which the next one starts at once. */
  atOnce: number
  /** The most running calls when calls take long. */
  most: number
  /** Calls beyond `most`, for workspaces without a running call. */
  reserve: number
}>

export type CallLoad = Readonly<{
  running: number
  /** Workspaces with running or waiting calls, including this one. */
  workspaces: number
  runningOfWorkspace: number
  runningOfClient: number
  /** Running calls of this client in this workspace. */
  runningOfBoth: number
  /** Whether it has waited so long that it need not wait for `atOnce` any more. */
  isPatient: boolean
}>

/** Keeps room for one workspace more than there are. */
const shareOfWorkspace = ({ most }: CallLimits, workspaces: number): number =>
  Math.max(1, Math.floor(most / (workspaces + 1)))

/** One client may call functions of several workspaces; a quarter is left for the others. */
const shareOfClient = ({ most, reserve }: CallLimits): number =>
  Math.max(1, Math.floor(((most + reserve) * 3) / 4))

/** Running calls of a workspace from which on only clients without one of them may start one. */
const shareOfKnownClients = (share: number): number => Math.max(1, Math.floor((share * 3) / 4))

export const mayStartCall = (limits: CallLimits, load: CallLoad): boolean => {
  const { running, runningOfWorkspace, runningOfClient, runningOfBoth, workspaces, isPatient } =
    load
  const { atOnce, most, reserve } = limits
  if (runningOfClient >= shareOfClient(limits)) return false
  if (runningOfWorkspace === 0) return running < most + reserve
  const share = shareOfWorkspace(limits, workspaces)
  if (runningOfWorkspace >= (runningOfBoth === 0 ? share : shareOfKnownClients(share))) return false
  return running < atOnce || (isPatient && running < most)
}
