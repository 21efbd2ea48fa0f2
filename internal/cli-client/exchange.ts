/**
 * Sends a request and reads the whole response. Node's `fetch` compiles its own parser at its first use,
 * which takes more processor time than the rest of a short command; `node:http` does not. Forms and
 * redirects still use `fetch`, because only it supports them.
 */
import type { IncomingMessage, RequestOptions } from 'node:http'

export type Exchange = Readonly<{
  method: string
  headers: Readonly<Record<string, string>>
  body?: FormData | string
}>

export type Answer = Readonly<{ status: number; text: string }>

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308]

const byFetch = async (url: string, { method, headers, body }: Exchange): Promise<Answer> => {
  const response = await fetch(url, {
    method,
    headers: { ...headers },
    ...(body === undefined ? {} : { body }),
  })
  return { status: response.status, text: await response.text() }
}

const readText = async (message: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

const send = async (url: string, options: RequestOptions, body: string): Promise<Answer> => {
  const { request } = url.startsWith('https:')
    ? await import('node:https')
    : await import('node:http')
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, options, resolve)
      .on('error', reject)
      // Node reports a response 101 as neither a response nor an error
      .on('close', () => reject(new Error('The connection was closed without a response.')))
      .end(body)
  })
  return { status: message.statusCode ?? 0, text: await readText(message) }
}

/** @throws {Error} the server was not reached, or the response ended early */
export const exchange = async (url: string, wanted: Exchange): Promise<Answer> => {
  const { method, headers, body = '' } = wanted
  if (typeof body !== 'string') return byFetch(url, wanted)
  const length =
    body === '' && method === 'GET' ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const answer = await send(url, { method, headers: { ...headers, ...length } }, body)
  return REDIRECTS.includes(answer.status) ? byFetch(url, wanted) : answer
}
