/** The API client of the signed-in person. The browser sends the session cookie. */
import { useParams } from '@tanstack/react-router'
import { readError } from '#sdk/api-error.ts'
import { ApiError, type Client, createClient } from '#sdk/client.ts'
import { reportLost } from '../browser/connection.ts'
import { readServerClock } from '../browser/server-clock.ts'
import { StoppedWaiting, sendChange, sendRead } from '../browser/slow-requests.ts'
import { AWAY_STATUSES } from '../ui/retry.ts'

/** Whether a proxy answered with a page of its own, such as one for signing in. svc sends no HTML to the console. */
const isPageOfProxy = ({ ok, headers }: Response): boolean =>
  ok && (headers.get('content-type') ?? '').startsWith('text/html')

const send = async (request: Request): Promise<Response> => {
  let refused: Response
  try {
    const sentAt = Date.now()
    const response = await (request.method === 'GET' ? sendRead : sendChange)(request)
    readServerClock({ date: response.headers.get('date'), sentAt, receivedAt: Date.now() })
    if (AWAY_STATUSES.includes(response.status)) void reportLost()
    if (!isPageOfProxy(response)) return response
    refused = response
  } catch (error) {
    if (!(request.signal.aborted || error instanceof StoppedWaiting)) void reportLost()
    throw error
  }
  // read as data, the page would crash the console
  throw await readError(refused)
}

const clients = new Map<string, Client>()

/** @param ws empty for routes outside of workspaces */
export const apiOf = (ws: string): Client => {
  const known = clients.get(ws)
  if (known !== undefined) return known
  const client = createClient({ url: location.origin, workspace: ws, fetch: send })
  clients.set(ws, client)
  return client
}

/** The workspace of the address, empty outside of one. */
export const useWorkspace = (): string => useParams({ strict: false, select: ({ ws }) => ws ?? '' })

/** The client of the workspace that the address names. */
export const useApi = (): Client => apiOf(useWorkspace())

export const isUnauthenticated = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 401

export type WithVersion<Value> = Readonly<{
  value: Value
  /** Headers that change only what was read [wire 3.8]. */
  onlyAsRead: Readonly<Record<string, string>>
}>

/** Reads something that has an ETag. */
export const readWithVersion = async <Value>(
  ws: string,
  read: (api: Client) => Promise<Value>,
): Promise<WithVersion<Value>> => {
  let etag: string | null = null
  const fetchVersion = async (request: Request): Promise<Response> => {
    const response = await send(request)
    etag = response.headers.get('etag')
    return response
  }
  const api = createClient({ url: location.origin, workspace: ws, fetch: fetchVersion })
  const value = await read(api)
  return { value, onlyAsRead: etag === null ? {} : { 'if-match': etag } }
}
