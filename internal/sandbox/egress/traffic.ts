/** Limits the connections and bytes of one guest. It polls the byte counters of the sockets, so counting adds no work per byte. */
import type { Socket } from 'node:net'

/** Counts since this process started. */
export type EgressTotals = {
  /** Connections that were opened, were refused by the rules, or were accepted by no host. */
  opened: number
  refused: number
  failed: number
  bytesOut: number
  bytesIn: number
}

/** Totals at zero, for all guests of one proxy. */
export const createTotals = (): EgressTotals => ({
  opened: 0,
  refused: 0,
  failed: 0,
  bytesOut: 0,
  bytesIn: 0,
})

export interface Traffic {
  /** @returns false if too many sockets are open */
  add(socket: Socket): boolean
  /** Starts a new job with counters at zero. */
  reset(onExceeded: () => void): void
  close(): void
}

export type TrafficBounds = Readonly<{
  /** Maximum number of open connections. */
  connections: number
  /** Maximum number of bytes of one job, both directions together. */
  bytes: number
}>

const POLL_MS = 100

type Counted = { out: number; in: number }

/** Counts the traffic of one guest, and adds it to the totals. */
export const createTraffic = (bounds: TrafficBounds, totals: EgressTotals): Traffic => {
  const open = new Map<Socket, Counted>()
  let timer: ReturnType<typeof setInterval> | null = null
  let used = 0
  let onExceeded: () => void = () => undefined
  let isExceeded = false

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
    if (used <= bounds.bytes || isExceeded) return
    isExceeded = true
    for (const socket of open.keys()) socket.destroy()
    onExceeded()
  }

  const check = (): void => {
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
      if (open.size >= bounds.connections || isExceeded) return false
      const counted = { out: 0, in: 0 }
      open.set(socket, counted)
      socket.once('close', () => forget(socket, counted))
      timer ??= setInterval(check, POLL_MS).unref()
      return true
    },
    reset: (next) => {
      // bytes until now belong to earlier jobs
      for (const [socket, counted] of open) count(socket, counted)
      used = 0
      isExceeded = false
      onExceeded = next
    },
    close: () => {
      for (const socket of open.keys()) socket.destroy()
    },
  }
}
