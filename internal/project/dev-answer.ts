/** The responses of the local server (dev-server.ts). */
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { v7 } from 'uuid'

/** Answers with JSON. */
export const sendJson = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
  response.end(`${JSON.stringify(body)}\n`)
}

/** Answers a refusal or failure as a server does: its fields have `error` and `code`. */
export const sendProblem = (
  response: ServerResponse,
  status: number,
  fields: object,
  requestId: string = v7(),
): void => {
  response.setHeader('x-request-id', requestId)
  sendJson(response, status, { ...fields, request_id: requestId })
}

/** Passes on the response of a function. */
export const sendResponse = async (response: ServerResponse, answer: Response): Promise<void> => {
  const cookies = answer.headers.getSetCookie()
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => name !== 'set-cookie'))
  response.writeHead(answer.status, {
    ...headers,
    ...(cookies.length === 0 ? {} : { 'set-cookie': cookies }),
  })
  if (answer.body === null) response.end()
  else
    await pipeline(Readable.from(answer.body, { objectMode: false }), response).catch(
      () => undefined,
    )
}
