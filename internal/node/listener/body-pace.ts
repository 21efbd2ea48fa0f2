/** Cuts off requests whose body arrives too slowly. A single time limit would also cut off large files on slow connections. */
import type { IncomingMessage } from 'node:http'
import { v7 } from 'uuid'
import { endWithError } from '#http/raw-error.ts'
import { TOO_SLOW } from './unreadable-requests.ts'

export type Pace = Readonly<{
  /** For this long, in milliseconds, a body may arrive at any pace. */
  graceMs: number
  /** The minimum average pace after that. */
  bytesPerS: number
  checkEveryMs: number
}>

export type PaceKeeper = Readonly<{
  watch: (request: IncomingMessage) => void
  stop: () => void
}>

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/** Answers 408 to requests whose body arrives more slowly than `bytesPerS` after a grace period. */
export const keepPace = ({ graceMs, bytesPerS, checkEveryMs }: Pace): PaceKeeper => {
  const arriving = new Map<IncomingMessage, Readonly<{ since: number; bytes: number }>>()
  const isDripping = (request: IncomingMessage, now: number): boolean => {
    const begun = arriving.get(request)
    if (begun === undefined || now - begun.since < graceMs) return false
    const seconds = (now - begun.since) / 1_000
    return (request.socket.bytesRead - begun.bytes) / seconds < bytesPerS
  }
  const checking = setInterval(() => {
    const now = performance.now()
    for (const request of arriving.keys()) {
      if (request.complete || request.destroyed) arriving.delete(request)
      else if (isDripping(request, now)) {
        arriving.delete(request)
        endWithError(request.socket, TOO_SLOW, v7())
      }
    }
  }, checkEveryMs)
  checking.unref()
  return {
    watch: (request) => {
      if (!hasBody(request)) return
      arriving.set(request, { since: performance.now(), bytes: request.socket.bytesRead })
      request.once('close', () => arriving.delete(request))
    },
    stop: () => clearInterval(checking),
  }
}
