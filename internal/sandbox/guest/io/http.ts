/**
 * Requests of `node:http` and `node:https` in a guest whose only network is the relay. If a job may not reach an address, the
 * host's proxy answers instead. That is not a response from the address, so the request fails with the reason, as with `fetch`
 * (relay.ts).
 *
 * Loaded only by guests that use it, because loading `node:http` takes time.
 */
import type { ClientRequest, IncomingMessage } from 'node:http'
import { REFUSED_HEADER } from '../../protocol/messages.ts'
import { importsOf } from './imports.ts'
import { refusalOf } from './tunnel.ts'

type HttpModule = typeof import('node:http')

const importsHttp = importsOf('https?')
/** Node's error for a tunnel that the proxy refuses, with the destination and the proxy's reason. */
const REFUSED_TUNNEL = /^Failed to establish tunnel to (\S+) over .*: HTTP\/1\.1 \d+ (.+)/

const isAnswer = (value: unknown): value is IncomingMessage =>
  typeof value === 'object' && value !== null && 'headers' in value

/** Replaces the error of a tunnel that the proxy refused. */
const explained = (value: unknown): unknown => {
  const [, host = '', reason] =
    REFUSED_TUNNEL.exec(value instanceof Error ? value.message : '') ?? []
  return reason === undefined ? value : refusalOf(host, reason)
}

let isPatched = false

const patch = ({ ClientRequest }: HttpModule): void => {
  if (isPatched) return
  isPatched = true
  const { emit } = ClientRequest.prototype
  const checked = function (this: ClientRequest, event: string | symbol, ...values: unknown[]) {
    const [answer] = values
    const reason =
      event === 'response' && isAnswer(answer) ? answer.headers[REFUSED_HEADER] : undefined
    if (typeof reason !== 'string') {
      const passed = event === 'error' ? [explained(answer)] : values
      return Boolean(Reflect.apply(emit, this, [event, ...passed]))
    }
    this.destroy(refusalOf(this.host, reason))
    return true
  }
  Object.defineProperty(ClientRequest.prototype, 'emit', {
    value: checked,
    writable: true,
    configurable: true,
  })
}

/** Call it before the code is loaded. */
export const prepareHttp = async (code: string): Promise<void> => {
  if (!isPatched && importsHttp(code)) patch(await import('node:http'))
}
