/** Reads the frames of WebSockets in turns. Pure: clock and turns come from the caller. */
import { createPacedReader, type PacedSocket } from './paced-reader.ts'
import { createTurnBudget } from './turn-budget.ts'

/** Milliseconds of a turn for the frames of all connections. */
const FRAMES_MS = 5

type FrameSocket = PacedSocket &
  Readonly<{
    /** Typed as the runtime types it. */
    listeners: (event: 'data') => readonly unknown[]
    removeAllListeners: (event: 'data') => unknown
    on: (event: 'data', read: (received: Uint8Array) => void) => unknown
  }>

type Parse = (this: unknown, part: Uint8Array) => void
const isParse = (value: unknown): value is Parse => typeof value === 'function'

/**
 * Returns a function to call with the connection of a WebSocket after its handshake. A peer that sends thousands of tiny frames
 * at once does not hold up others then.
 */
export const createFrameReader = (
  now: () => number,
  nextTurn: (act: () => void) => void,
): ((socket: FrameSocket) => void) => {
  const budget = createTurnBudget({ turnMs: FRAMES_MS, nextTurn })
  return (socket) => {
    // the function of `ws` that parses frames
    const [parse] = socket.listeners('data')
    if (!isParse(parse)) return
    const read = createPacedReader(socket, {
      parse: (part) => parse.call(socket, part),
      budget,
      now,
    })
    socket.removeAllListeners('data')
    // `ws` removes `parse` when the connection closes, and this removes `read`
    socket.on('data', Object.assign(read, { listener: parse }))
  }
}
