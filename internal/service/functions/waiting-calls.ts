/** Calls that wait for their turn. Workspaces take turns; within a workspace the longest wait is first. */
import { createTally } from '#core/fairness/tally.ts'

/** A client in a workspace. */
export type Party = Readonly<{ ws: string; client: string }>

/** The key of a client in a workspace. */
export const keyOf = ({ ws, client }: Party): string => JSON.stringify([ws, client])

export type WaitingCall = {
  readonly ws: string
  readonly client: string
  readonly start: () => void
  /** Whether it has waited so long that it may use the reserve for long waits. */
  isPatient: boolean
}

export interface WaitingCalls {
  readonly size: number
  workspaces(): Iterable<string>
  ofWorkspace(ws: string): number
  ofClient(client: string): number
  /** Calls of a client in a workspace. */
  ofBoth(party: Party): number
  add(call: WaitingCall): void
  /** Does nothing for a call that is not waiting. */
  remove(call: WaitingCall): void
  /** Takes the first call that may start, of the next workspace, which then goes to the end of the order. */
  take(mayStart: (call: WaitingCall) => boolean): WaitingCall | null
}

/** Creates an empty queue. */
export const createWaitingCalls = (): WaitingCalls => {
  /** Waiting calls by workspace; the first key is next. */
  const queues = new Map<string, WaitingCall[]>()
  const clients = createTally()
  const both = createTally()
  let size = 0

  const remove = (call: WaitingCall): void => {
    const queue = queues.get(call.ws)
    const at = queue?.indexOf(call) ?? -1
    if (queue === undefined || at === -1) return
    queue.splice(at, 1)
    if (queue.length === 0) queues.delete(call.ws)
    size -= 1
    clients.add(call.client, -1)
    both.add(keyOf(call), -1)
  }

  return {
    get size() {
      return size
    },
    workspaces: () => queues.keys(),
    ofWorkspace: (ws) => queues.get(ws)?.length ?? 0,
    ofClient: clients.of,
    ofBoth: (party) => both.of(keyOf(party)),
    remove,
    add: (call) => {
      const queue = queues.get(call.ws)
      if (queue === undefined) queues.set(call.ws, [call])
      else queue.push(call)
      size += 1
      clients.add(call.client, 1)
      both.add(keyOf(call), 1)
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
