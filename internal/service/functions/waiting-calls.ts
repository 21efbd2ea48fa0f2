/** Calls that wait for their turn, by workspace. Workspaces take turns; within one the longest wait is first. */
import { createTally } from './tally.ts'

export type WaitingCall = {
  readonly ws: string
  readonly client: string
  readonly start: () => void
  /** It has waited so long that it may run beside calls that take long. */
  isPatient: boolean
}

export interface WaitingCalls {
  readonly size: number
  workspaces(): Iterable<string>
  ofWorkspace(ws: string): number
  ofClient(client: string): number
  add(call: WaitingCall): void
  /** Does nothing for a call that is not here. */
  remove(call: WaitingCall): void
  /** Takes the first call of the next workspace that may start; that workspace then goes to the end of the line. */
  take(mayStart: (call: WaitingCall) => boolean): WaitingCall | null
}

export const createWaitingCalls = (): WaitingCalls => {
  /** The first key's turn is next. */
  const queues = new Map<string, WaitingCall[]>()
  const clients = createTally()
  let size = 0

  const remove = (call: WaitingCall): void => {
    const queue = queues.get(call.ws)
    const at = queue?.indexOf(call) ?? -1
    if (queue === undefined || at === -1) return
    queue.splice(at, 1)
    if (queue.length === 0) queues.delete(call.ws)
    size -= 1
    clients.add(call.client, -1)
  }

  return {
    get size() {
      return size
    },
    workspaces: () => queues.keys(),
    ofWorkspace: (ws) => queues.get(ws)?.length ?? 0,
    ofClient: clients.of,
    remove,
    add: (call) => {
      const queue = queues.get(call.ws)
      if (queue === undefined) queues.set(call.ws, [call])
      else queue.push(call)
      size += 1
      clients.add(call.client, 1)
    },
    take: (mayStart) => {
      for (const [ws, queue] of queues) {
        const call = queue.find(mayStart)
        if (call === undefined) continue
        queues.delete(ws)
        queues.set(ws, queue)
        remove(call)
        return call
      }
      return null
    },
  }
}
