/**
 * A few kept streams to one server: one for writes, which the server runs in the order in which they are sent, and up to four
 * for reads, so that neither waits for the other.
 *
 * It guarantees: a stream that was idle for 10 s is closed, because network devices may have dropped its connection and the
 * server allows a limited number (128 by default); a stream older than a minute is replaced, so that it takes over the server's
 * settings; a broken stream gets no further calls, while calls in progress finish on it.
 */
import type { KeptStream } from './kept-stream.ts'
import { createLeastLatency } from './least-latency.ts'
import type { RemoteConnection } from './remote-connection.ts'

export type StreamPoolOptions = Readonly<{
  open: () => KeptStream
  /** @default the monotonic clock */
  now?: () => number
}>

const MOST_READERS = 4
const MOST_WRITERS = 1
const IDLE_MS = 10_000
const OLDEST_MS = 60_000

type Held = { readonly stream: KeptStream; readonly openedAt: number; usedAt: number }

type Choose = () => Held

const createStreams = (most: number, open: () => KeptStream, now: () => number) => {
  // most recently used first, so that unneeded streams become idle
  let held: readonly Held[] = []
  let retired: readonly Held[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  const isFit = ({ stream, openedAt, usedAt }: Held): boolean => {
    if (stream.isBroken() || now() - openedAt >= OLDEST_MS) return false
    return stream.underWay() > 0 || now() - usedAt < IDLE_MS
  }
  /** Retires streams that must get no further calls, and closes those without calls in progress. */
  const sweep = (): void => {
    retired = [...retired, ...held.filter((each) => !isFit(each))]
    held = held.filter(isFit)
    for (const { stream } of retired) if (stream.underWay() === 0) stream.close()
    retired = retired.filter(({ stream }) => stream.underWay() > 0)
  }
  const sweepLater = (): void => {
    if (timer !== undefined || held.length + retired.length === 0) return
    timer = setTimeout(() => {
      timer = undefined
      sweep()
      sweepLater()
    }, IDLE_MS)
    // an idle connection does not keep the process alive
    if (typeof timer === 'object') timer.unref()
  }

  const openAnother = (): Held => ({ stream: open(), openedAt: now(), usedAt: now() })
  const leastLoaded = (): Held =>
    held.reduce((best, each) => (each.stream.underWay() < best.stream.underWay() ? each : best))

  const choose: Choose = () => {
    const idle = held.find(({ stream }) => stream.underWay() === 0)
    return idle ?? (held.length < most ? openAnother() : leastLoaded())
  }

  return {
    use: async <T>(work: (stream: KeptStream) => Promise<T>): Promise<T> => {
      sweep()
      const chosen = choose()
      held = [chosen, ...held.filter((each) => each !== chosen)]
      sweepLater()
      try {
        return await work(chosen.stream)
      } finally {
        chosen.usedAt = now()
        if (chosen.stream.isBroken()) sweep()
      }
    },
    /** Returns whether a call made now uses the one stream that has all calls in progress. */
    keepsOrder: (): boolean => {
      sweep()
      const [only] = held
      return only?.stream.isReady() === true && held.length === 1 && retired.length === 0
    },
    renew: (): void => {
      retired = [...retired, ...held]
      held = []
      sweep()
    },
    close: (): void => {
      clearTimeout(timer)
      for (const { stream } of [...held, ...retired]) stream.close()
      held = []
      retired = []
    },
  }
}

/** Creates the pool. The first call opens a stream. */
export const createStreamPool = ({
  open,
  now = () => performance.now(),
}: StreamPoolOptions): RemoteConnection => {
  const readers = createStreams(MOST_READERS, open, now)
  const writers = createStreams(MOST_WRITERS, open, now)
  const latency = createLeastLatency(now)
  /** Measures the round trip, except on a stream that is busy or must open first: those show nothing about the network. */
  const timed = async <T>(stream: KeptStream, work: () => Promise<T>): Promise<T> => {
    const isAlone = stream.isReady() && stream.underWay() === 0
    const sentAt = now()
    const result = await work()
    if (isAlone) latency.add(now() - sentAt)
    return result
  }
  return {
    execute: (statement) => readers.use((stream) => timed(stream, () => stream.execute(statement))),
    batch: (statements) => writers.use((stream) => timed(stream, () => stream.batch(statements))),
    latencyMs: latency.ms,
    keepsOrder: writers.keepsOrder,
    isLarge: () => false,
    renew: () => {
      readers.renew()
      writers.renew()
    },
    close: () => {
      readers.close()
      writers.close()
    },
  }
}
