/**
 * Forwards a plain http request of a guest to a server. Both may be hostile, so it reads their heads alone: bodies pass like the
 * bytes of a tunnel. Each connection carries one request.
 */
import type { Socket } from 'node:net'
import { type Destination, describeDestination } from './destination.ts'
import { endSoon, tieEnds } from './join-sockets.ts'
import {
  type Field,
  fieldOf,
  parseResponseHead,
  type RequestHead,
  type ResponseHead,
  toForward,
  writeHead,
} from './message-head.ts'
import { readHead } from './read-head.ts'

/** Interim responses (1xx) before the response, as many as servers send. */
const MOST_INTERIM = 10
const SWITCHING = 101
const FIRST_FINAL = 200
const MIN_STATUS = 100

const CLOSE: Field = { name: 'Connection', value: 'close' }

const hostField = (destination: Destination): Field => ({
  name: 'Host',
  value: describeDestination(destination).replace(/:80$/, ''),
})

const upgradeFields = (upgrade: string): readonly Field[] => [
  { name: 'Upgrade', value: upgrade },
  { name: 'Connection', value: 'Upgrade' },
]

const requestText = (
  { method, target, version, fields }: RequestHead,
  destination: Destination,
  upgrade: string | null,
): string => {
  const url = URL.parse(target)
  const own = upgrade === null ? [CLOSE] : upgradeFields(upgrade)
  return writeHead(`${method} ${url?.pathname ?? '/'}${url?.search ?? ''} ${version}`, [
    hostField(destination),
    ...toForward(fields, ['host']),
    ...own,
  ])
}

const startOf = ({ version, status, reason }: ResponseHead): string =>
  `${version} ${status} ${reason}`

/** Passes interim responses on. @returns the head of the response; null if there is none that a client understands */
const readResponse = async (inner: Socket, outer: Socket): Promise<ResponseHead | null> => {
  for (let interim = 0; interim <= MOST_INTERIM; interim += 1) {
    const text = await readHead(outer)
    const head = text === null ? null : parseResponseHead(text)
    const isInterim =
      head !== null &&
      head.status >= MIN_STATUS &&
      head.status < FIRST_FINAL &&
      head.status !== SWITCHING
    if (!isInterim) return head
    inner.write(writeHead(startOf(head), toForward(head.fields)), 'latin1')
  }
  return null
}

type Sides = Readonly<{ inner: Socket; outer: Socket }>

/** Ends both connections with a response that has no body. */
const answerWithout = ({ inner, outer }: Sides, start: string): void => {
  inner.write(writeHead(start, [{ name: 'Content-Length', value: '0' }, CLOSE]), 'latin1')
  endSoon(inner)
  outer.destroy()
}

const passResponse = (sides: Sides, head: ResponseHead, upgrade: string | null): void => {
  const { inner, outer } = sides
  const { version, status, fields } = head
  // a server may send any three digits
  if (status < MIN_STATUS) return void answerWithout(sides, `${version} 502 Bad Gateway`)
  const isAgreed = status === SWITCHING
  if (upgrade !== null && !isAgreed) return void answerWithout(sides, startOf(head))
  if (upgrade === null && isAgreed) return void inner.destroy()
  const own = upgrade === null ? [CLOSE] : upgradeFields(upgrade)
  inner.write(writeHead(startOf(head), [...own, ...toForward(fields)]), 'latin1')
  outer.pipe(inner)
}

export type Forwarding = Readonly<{
  request: RequestHead
  destination: Destination
  outer: Socket
  /** Milliseconds as in `HALF_OPEN_MS`. */
  halfOpenMs: number
}>

/** Sends the request of a guest over the socket `outer`, and the response back. @param inner its next bytes follow the head */
export const forwardRequest = async (
  inner: Socket,
  { request, destination, outer, halfOpenMs }: Forwarding,
): Promise<void> => {
  const upgrade = fieldOf(request, 'upgrade')
  tieEnds(inner, outer, halfOpenMs)
  outer.write(requestText(request, destination, upgrade), 'latin1')
  inner.pipe(outer)
  const head = await readResponse(inner, outer)
  if (head === null) inner.destroy()
  else passResponse({ inner, outer }, head, upgrade)
}
