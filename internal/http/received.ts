/** Reads the headers and the addresses of a request as its caller sent them. */
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { ToClientAddress } from './admission/client-address.ts'
import type { CountConnection } from './admission/connection-owner.ts'

/** Bindings are absent when a test calls `app.request`. */
export type Env = { Bindings: Partial<HttpBindings & { countConnection: CountConnection }> }

/** The socket's raw list keeps repeated names separate; without a socket (in tests) they are joined. */
export const receivedHeaders = (context: Context<Env>): readonly (readonly [string, string])[] => {
  const raw = context.env?.incoming?.rawHeaders
  if (raw === undefined) return [...context.req.raw.headers]
  return Array.from({ length: raw.length / 2 }, (_, at) => [
    raw[2 * at] ?? '',
    raw[2 * at + 1] ?? '',
  ])
}

/**
 * The address as the caller sent it. A proxy that terminates TLS sends the scheme in a header; in a chain of proxies, the first
 * entry is that of the caller's connection.
 */
export const ownAddress = (context: Context<Env>): string => {
  const { protocol, host } = new URL(context.req.url)
  const [scheme = ''] = (context.req.header('x-forwarded-proto') ?? '').split(',')
  return scheme.trim().toLowerCase() === 'https' ? `https://${host}` : `${protocol}//${host}`
}

/** The address of the caller's machine, behind trusted proxies too; null without a socket. */
export const clientAddress = (
  { toClientAddress }: Readonly<{ toClientAddress: ToClientAddress }>,
  context: Context<Env>,
): string | null =>
  toClientAddress(
    context.env?.incoming?.socket.remoteAddress ?? null,
    context.req.header('x-forwarded-for'),
  )
