/**
 * Streams stay open long after the check at their start, so their credential is checked again while they are open. Streams of
 * one credential share the check: a thousand of them cost one read per second.
 */
import { AppError } from '#core/error.ts'

export type WatchedCredential = Readonly<{
  /** Aborted when the credential has ended. */
  signal: AbortSignal
  /** Call it when the stream is over. */
  stop: () => void
}>

export interface CredentialWatch {
  /**
   * @param key equal for streams that end together
   * @param check throws an AppError of the kinds unauthenticated or forbidden when the credential has ended
   */
  watch(key: string, check: () => Promise<unknown>): WatchedCredential
}

/** A stream ends within 2 s of its credential [wire 8.4]: this pause and one slow read. */
const CHECK_EVERY_MS = 1_000

type Entry = {
  readonly ended: AbortController
  streams: number
  timer: ReturnType<typeof setTimeout> | undefined
}

const isEnd = (error: unknown): boolean =>
  error instanceof AppError && (error.kind === 'unauthenticated' || error.kind === 'forbidden')

export const createCredentialWatch = (everyMs = CHECK_EVERY_MS): CredentialWatch => {
  const entries = new Map<string, Entry>()

  const checkAgain = (key: string, entry: Entry, check: () => Promise<unknown>): void => {
    entry.timer = setTimeout(async () => {
      try {
        await check()
      } catch (error) {
        // a database that does not answer does not make the credential invalid
        if (isEnd(error)) {
          entries.delete(key)
          entry.ended.abort()
          return
        }
      }
      if (entry.streams > 0) checkAgain(key, entry, check)
    }, everyMs)
    entry.timer.unref()
  }

  return {
    watch: (key, check) => {
      const known = entries.get(key)
      const entry = known ?? { ended: new AbortController(), streams: 0, timer: undefined }
      entry.streams += 1
      if (known === undefined) {
        entries.set(key, entry)
        checkAgain(key, entry, check)
      }
      let isStopped = false
      return {
        signal: entry.ended.signal,
        stop: () => {
          if (isStopped) return
          isStopped = true
          entry.streams -= 1
          if (entry.streams > 0) return
          clearTimeout(entry.timer)
          if (entries.get(key) === entry) entries.delete(key)
        },
      }
    },
  }
}

/**
 * Returns the same response, with a body that ends when the credential ends.
 * @param onOver called once the source of the body has ended
 */
export const endWithCredential = (
  response: Response,
  { signal, stop }: WatchedCredential,
  onOver: () => void = () => undefined,
): Response => {
  const reader = response.body?.getReader()
  if (reader === undefined) {
    stop()
    onOver()
    return response
  }
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        const end = (): void => {
          stop()
          controller.close()
          // the stream has ended, so an error of its source has no effect
          reader.cancel().catch(() => undefined)
        }
        signal.addEventListener('abort', end, { once: true })
        // also when the source fails
        reader.closed
          .catch(() => undefined)
          .finally(() => {
            stop()
            onOver()
            signal.removeEventListener('abort', end)
          })
      },
      pull: async (controller) => {
        const { done, value } = await reader.read()
        if (signal.aborted) return
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // no part in reserve, which would take memory while the caller reads nothing
    { highWaterMark: 0 },
  )
  return new Response(body, { status: response.status, headers: response.headers })
}
