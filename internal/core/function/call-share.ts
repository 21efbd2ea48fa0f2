/**
 * Who may start a call of a function next. Short calls are quickest when few processes share the cores, so further ones
 * wait their turn; a call that has waited a while runs in parallel, since those are waiting for something themselves.
 * No workspace and no client may take so much that none is left for the next one.
 */
export type CallLimits = Readonly<{
  /** Running calls up to which the next one starts at once. */
  atOnce: number
  /** Running calls when calls take long. */
  most: number
  /** Beyond `most`, for workspaces of which nothing runs. */
  reserve: number
}>

export type CallLoad = Readonly<{
  running: number
  /** Workspaces with running or waiting calls, this one counted. */
  workspaces: number
  runningOfWorkspace: number
  runningOfClient: number
  /** It has waited so long that it need not wait for `atOnce` any more. */
  isPatient: boolean
}>

/** Room for one workspace more than there are always stays free. */
const shareOfWorkspace = ({ most }: CallLimits, workspaces: number): number =>
  Math.max(1, Math.floor(most / (workspaces + 1)))

/** One client may call functions of several workspaces; a quarter is left for the others. */
const shareOfClient = ({ most, reserve }: CallLimits): number =>
  Math.max(1, Math.floor(((most + reserve) * 3) / 4))

export const mayStartCall = (limits: CallLimits, load: CallLoad): boolean => {
  const { running, runningOfWorkspace, runningOfClient, workspaces, isPatient } = load
  const { atOnce, most, reserve } = limits
  if (runningOfClient >= shareOfClient(limits)) return false
  if (runningOfWorkspace === 0) return running < most + reserve
  if (runningOfWorkspace >= shareOfWorkspace(limits, workspaces)) return false
  return running < atOnce || (isPatient && running < most)
}
