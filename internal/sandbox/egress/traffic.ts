/** What goes through one door: counted now and then from the sockets themselves, so that it costs nothing by the byte. */
import type { Socket } from 'node:net'

/** Since this process started. */
export type EgressTotals = {
  /** Connections that were opened, that the rule refused, and that nobody answered. */
  opened: number
  refused: number
  failed: number
  bytesOut: number
  bytesIn: number
}

export const createTotals = (): EgressTotals => ({
  opened: 0,
  refused: 0,
  failed: 0,
  bytesOut: 0,
  bytesIn: 0,
})

export interface Traffic {
  /** False: too many are open. */
  add(socket: Socket): boolean
  /** Counts anew. */
  reset(onExceeded: () => void): void
  close(): void
}

export type TrafficBounds = Readonly<{
  /** At once. */
  connections: number
  /** Of one job, both ways together. */
  bytes: number
}>

const LOOK_MS = 100

type Counted = { out: number; in: number }

export const createTraffic = (bounds: TrafficBounds, totals: EgressTotals): Traffic => {
  const open = new Map<Socket, Counted>()
  let timer: ReturnType<typeof setInterval> | null = null
  let used = 0
  let onExceeded: () => void = () => undefined
  let isTold = false

  const count = (socket: Socket, counted: Counted): void => {
    const out = socket.bytesRead - counted.out
    const into = socket.bytesWritten - counted.in
    counted.out += out
    counted.in += into
    totals.bytesOut += out
    totals.bytesIn += into
    used += out + into
  }

  const judge = (): void => {
    if (used <= bounds.bytes || isTold) return
    isTold = true
    for (const socket of open.keys()) socket.destroy()
    onExceeded()
  }

  const look = (): void => {
    for (const [socket, counted] of open) count(socket, counted)
    judge()
  }

  const forget = (socket: Socket, counted: Counted): void => {
    count(socket, counted)
    open.delete(socket)
    if (open.size === 0 && timer !== null) {
      clearInterval(timer)
      timer = null
    }
    judge()
  }

  return {
    add: (socket) => {
      if (open.size >= bounds.connections || isTold) return false
      const counted = { out: 0, in: 0 }
      open.set(socket, counted)
      socket.once('close', () => forget(socket, counted))
      timer ??= setInterval(look, LOOK_MS).unref()
      return true
    },
    reset: (next) => {
      // what earlier jobs carried is theirs
      for (const [socket, counted] of open) count(socket, counted)
      used = 0
      isTold = false
      onExceeded = next
    },
    close: () => {
      for (const socket of open.keys()) socket.destroy()
    },
  }
}
