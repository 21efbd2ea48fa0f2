/**
 * Limits concurrent function calls (core/function/call-share.ts). Workspaces take turns; beyond limits per workspace, per
 * client and in total, callers are refused with Retry-After.
 */
import { AppError, callerGone, unavailable } from '#core/error.ts'
import { createTally } from '#core/fairness/tally.ts'
import { type CallLimits, type CallLoad, mayStartCall } from '#core/function/call-share.ts'
import { createWaitingCalls, keyOf, type Party, type WaitingCall } from './waiting-calls.ts'

/** `client`: network of the caller's address. */
export type CallParty = Party &
  Readonly<{
    /** Aborted when the caller disconnects. */
    signal: AbortSignal
  }>

export interface CallGate {
  /**
   * Waits until the call may start.
   * @returns a function that ends the call
   * @throws {AppError} unavailable: too many calls wait, or this one waited too long; rate_limited: too many of this
   * client wait
   */
  enter(party: CallParty): Promise<() => void>
}

export type GateLimits = CallLimits &
  Readonly<{
    /** Milliseconds after which a waiting call may use the reserve for long waits. */
    patienceMs: number
    /** Limit of waiting calls in total. */
    waiting: number
    /** Limit of waiting calls of one workspace. */
    waitingOfWorkspace: number
    /** Limit of waiting calls of one client. */
    waitingOfClient: number
    /** Limit of waiting calls of one client in one workspace, so that others have room there. */
    waitingOfBoth: number
    /** Milliseconds after which a waiting call is refused. */
    maxWaitMs: number
  }>

const RETRY_AFTER_S = 1

/** Counts running calls, and decides whether another may start. */
const createRunning = (limits: CallLimits) => {
  const workspaces = createTally()
  const clients = createTally()
  const both = createTally()
  let running = 0
  const count = ({ ws, client }: Party, by: number): void => {
    running += by
    workspaces.add(ws, by)
    clients.add(client, by)
    both.add(keyOf({ ws, client }), by)
  }
  return {
    count,
    workspaces: () => workspaces.keys(),
    mayStart: ({ ws, client }: Party, more: Pick<CallLoad, 'workspaces' | 'isPatient'>): boolean =>
      mayStartCall(limits, {
        running,
        runningOfWorkspace: workspaces.of(ws),
        runningOfClient: clients.of(client),
        runningOfBoth: both.of(keyOf({ ws, client })),
        ...more,
      }),
  }
}

/** Creates the gate of one server. */
export const createCallGate = (limits: GateLimits): CallGate => {
  const running = createRunning(limits)
  const waiting = createWaitingCalls()

  /** Counts workspaces with calls. @param more workspaces to include that have no call yet */
  const countWorkspaces = (...more: readonly string[]): number =>
    new Set([...running.workspaces(), ...waiting.workspaces(), ...more]).size

  const startNext = (): void => {
    for (;;) {
      const workspaces = countWorkspaces()
      const call = waiting.take((each) =>
        running.mayStart(each, { workspaces, isPatient: each.isPatient }),
      )
      if (call === null) return
      running.count(call, 1)
      call.start()
    }
  }

  const refuseBeyondBounds = ({ ws, client }: CallParty): void => {
    const isOver =
      waiting.ofClient(client) >= limits.waitingOfClient ||
      waiting.ofBoth({ ws, client }) >= limits.waitingOfBoth
    if (isOver) {
      throw new AppError('rate_limited', 'Too many of your calls are waiting. Slow down.', {
        retryAfterS: RETRY_AFTER_S,
      })
    }
    const isFull = waiting.size >= limits.waiting
    if (isFull || waiting.ofWorkspace(ws) >= limits.waitingOfWorkspace) throw busy()
  }

  const wait = ({ ws, client, signal }: CallParty): Promise<void> =>
    new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(patience)
        clearTimeout(deadline)
        signal.removeEventListener('abort', onAbort)
      }
      const giveUp = (error: AppError): void => {
        settle()
        waiting.remove(call)
        // one workspace fewer increases the shares of the others
        startNext()
        reject(error)
      }
      const onAbort = (): void => giveUp(callerGone())
      const patience = setTimeout(() => {
        call.isPatient = true
        startNext()
      }, limits.patienceMs)
      const deadline = setTimeout(() => giveUp(busy()), limits.maxWaitMs)
      const start = (): void => {
        settle()
        resolve()
      }
      const call: WaitingCall = { ws, client, start, isPatient: false }
      signal.addEventListener('abort', onAbort, { once: true })
      waiting.add(call)
    })

  return {
    enter: async (party) => {
      if (party.signal.aborted) throw callerGone()
      const load = { workspaces: countWorkspaces(party.ws), isPatient: false }
      if (waiting.ofWorkspace(party.ws) === 0 && running.mayStart(party, load)) {
        running.count(party, 1)
      } else {
        refuseBeyondBounds(party)
        await wait(party)
      }
      let hasLeft = false
      return () => {
        if (hasLeft) return
        hasLeft = true
        running.count(party, -1)
        startNext()
      }
    },
  }
}

const busy = (): AppError =>
  unavailable('Too many calls are waiting. Try again shortly.', {
    code: 'busy',
    retryAfterS: RETRY_AFTER_S,
  })
