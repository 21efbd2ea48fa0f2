/** Counts what this process sends to sqld over its open streams: batches and reads, and the statements in them. */
import { WebSocket } from '@libsql/hrana-client'

export type Requests = Readonly<{ requests: number; statements: number }>

/** Starts counting. @returns a function that returns the requests since then */
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
