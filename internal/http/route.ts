/** A bound endpoint: what the server calls. */
import type { AnswerHeaders } from './answer.ts'
import type { Endpoint } from './endpoint.ts'
import type { RawInput } from './request.ts'

/** A status with a JSON body as the wire has it, or a finished Response (text, streams, pages). */
export type Reply = Response | Readonly<{ status: number; body?: unknown; headers?: AnswerHeaders }>

/** Its path is from the root. */
export type Route = Omit<Endpoint, 'in'> &
  Readonly<{ operationId: string; run: (request: RawInput) => Promise<Reply> }>
