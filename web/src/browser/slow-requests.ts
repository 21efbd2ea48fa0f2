/**
 * Requests without a response. A read that receives nothing for a while is given up, because queries wait for it before they
 * read again, and its connection may be gone without a notice. A change may rightly take long, so the person decides: after a
 * while the page shows that it waits, and offers to stop.
 */
import { createPageValue } from './page-value.ts'

/** A TypeError, as `fetch` throws when it does not reach the server. */
export class NoResponse extends TypeError {
  constructor() {
    super('The network sent no response in time.')
  }
}

/** The person did not wait for the response of a change. It may have been made. */
export class StoppedWaiting extends Error {}

/** Streams send something at least every 15 s. */
const MOST_SILENCE_MS = 30_000
export const SLOW_MS = 10_000

/** Chromium gives responses of these statuses a stream too, but no response can be made of it. */
const WITHOUT_BODY: readonly number[] = [204, 205, 304]

const abortedWith = (signal: AbortSignal): AbortController => {
  const controller = new AbortController()
  const abort = (): void => controller.abort(signal.reason)
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true, signal: controller.signal })
  return controller
}

/** Sends a read. @throws {NoResponse} nothing arrived for 30 s; also while the body is read */
export const sendRead = async (request: Request): Promise<Response> => {
  const gone = abortedWith(request.signal)
  const giveUp = (): void => gone.abort(new NoResponse())
  let timer = setTimeout(giveUp, MOST_SILENCE_MS)
  const stop = (): void => clearTimeout(timer)
  gone.signal.addEventListener('abort', stop, { once: true })
  const restart = (): void => {
    stop()
    timer = setTimeout(giveUp, MOST_SILENCE_MS)
  }
  try {
    const response = await fetch(request, { signal: gone.signal })
    if (response.body === null || WITHOUT_BODY.includes(response.status)) {
      stop()
      return response
    }
    restart()
    const body = response.body.pipeThrough(
      new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform: (chunk, controller) => {
          restart()
          controller.enqueue(chunk)
        },
        flush: stop,
      }),
    )
    const { status, statusText, headers } = response
    return new Response(body, { status, statusText, headers })
  } catch (error) {
    stop()
    throw error
  }
}

/** Changes that have waited for 10 s. */
const slow = new Set<AbortController>()
const hasSlow = createPageValue(false)
const report = (): void => {
  if (hasSlow.get() !== slow.size > 0) hasSlow.set(slow.size > 0)
}

/** Sends a change and reads its response. @throws {StoppedWaiting} */
export const sendChange = async (request: Request): Promise<Response> => {
  const stopped = abortedWith(request.signal)
  const timer = setTimeout(() => {
    slow.add(stopped)
    report()
  }, SLOW_MS)
  try {
    const response = await fetch(request, { signal: stopped.signal })
    if (response.body === null || WITHOUT_BODY.includes(response.status)) return response
    const { status, statusText, headers } = response
    return new Response(await response.arrayBuffer(), { status, statusText, headers })
  } finally {
    clearTimeout(timer)
    slow.delete(stopped)
    report()
  }
}

/** Whether a change has waited for its response for 10 s. */
export const useHasSlowChange = hasSlow.use

export const stopWaiting = (): void => {
  for (const change of slow) change.abort(new StoppedWaiting('The person stopped waiting.'))
}
