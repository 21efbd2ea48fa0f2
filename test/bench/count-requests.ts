/** Counts the batches and reads that this process sends to sqld over its streams, and the statements in them. */
import { WebSocket } from '@libsql/hrana-client'

export type Requests = Readonly<{ requests: number; statements: number }>

/** Starts to count. @returns a function that returns what was sent since the start */
export const countRequests = (): (() => Requests) => {
  let requests = 0
  let statements = 0
  const { send } = WebSocket.prototype
  const counted = function (this: WebSocket, data: unknown): void {
    const text = String(data)
    if (/"type":"(?:batch|execute)"/.test(text)) {
      requests += 1
      statements += text.match(/"stmt":/g)?.length ?? 0
    }
    Reflect.apply(send, this, [data])
  }
  Object.defineProperty(WebSocket.prototype, 'send', { value: counted })
  return () => ({ requests, statements })
}
