/** Sends the pages of a scan as they are read, then the result, for callers who show progress. */
import { AppError } from '#core/error.ts'
import { type StreamEvent, toEventStream } from '../event-stream.ts'

export type OnPage = (progress: Readonly<{ page: number; pages: number }>) => void

type Follow<Result> = Readonly<{
  /** Starts the work, which ends when the signal is aborted. */
  start: (until: AbortSignal, onPage: OnPage) => Promise<Result>
  /** Aborted when the caller disconnects. */
  signal: AbortSignal
  requestId: string
}>

/**
 * Responds as soon as there is something to send: `event: progress` with `{page, pages}`, at last `event: result`, or
 * `event: error` with the body of an error. A caller who stops reading aborts the work.
 * @throws {AppError} the work was refused before any page was read
 */
export const followScan = async <Result>({
  start,
  signal,
  requestId,
}: Follow<Result>): Promise<Response> => {
  const left = new AbortController()
  const waiting: StreamEvent[] = []
  let news = Promise.withResolvers<void>()
  const send = (event: string, data: unknown): void => {
    waiting.push({ event, data })
    news.resolve()
  }
  const work = start(AbortSignal.any([signal, left.signal]), (progress) =>
    send('progress', progress),
  )
  const ended = work.then(
    (result) => send('result', result),
    (error: unknown) => send('error', toErrorBody(error, requestId)),
  )
  // a refusal before the first page is answered with its own status
  await Promise.race([work, news.promise])
  async function* events(): AsyncGenerator<StreamEvent> {
    for (;;) {
      await news.promise
      news = Promise.withResolvers()
      for (const event of waiting.splice(0)) {
        yield event
        if (event.event !== 'progress') return await ended
      }
    }
  }
  return toEventStream(signal, (stopped) => {
    stopped.addEventListener('abort', () => left.abort(), { once: true })
    return events()
  })
}

/** Hides the cause of a fault from the caller; the log has it. */
const toErrorBody = (error: unknown, requestId: string) =>
  error instanceof AppError
    ? { error: error.message, code: error.code, request_id: requestId }
    : { error: 'Something went wrong here.', code: 'internal', request_id: requestId }
