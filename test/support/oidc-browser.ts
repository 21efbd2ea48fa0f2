/** A provider of OpenID Connect, and a browser that signs in there. */
import { createServer, type Server } from 'node:http'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import Provider from 'oidc-provider'
import { portOf } from './port-of.ts'

export const makeKey = async (kid: string): Promise<JWK> => {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' }
}

export type RunningProvider = Readonly<{
  issuer: string
  server: Server
  close: () => Promise<void>
}>

/**
 * Starts a provider for svc at `base`. The email address names an account. An account that begins with `unverified` has an
 * unverified address. The provider sends logout tokens.
 * @param port 0 for any free port
 */
export const startProvider = async (
  base: string,
  key: JWK,
  port: number,
): Promise<RunningProvider> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${portOf(server)}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'svc',
        client_secret: 'secret',
        redirect_uris: [`${base}/api/auth/oidc/callback`],
        post_logout_redirect_uris: [`${base}/ui/sign-in`],
        backchannel_logout_uri: `${base}/api/auth/oidc/backchannel-logout`,
        backchannel_logout_session_required: true,
      },
    ],
    // the provider's default refuses addresses of this machine
    fetch: (url: string, { method, headers, body, signal }: RequestInit) =>
      fetch(url, {
        method: method ?? 'GET',
        headers: headers ?? {},
        body: body ?? null,
        signal: signal ?? null,
      }),
    features: { backchannelLogout: { enabled: true } },
    jwks: { keys: [key] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    cookies: { keys: ['only for tests'] },
    scopes: ['openid', 'email', 'profile'],
    findAccount: (_context, id) => ({
      accountId: id,
      claims: async () => ({ sub: id, email: id, email_verified: !id.startsWith('unverified') }),
    }),
  })
  server.on('request', provider.callback())
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return { issuer, server, close }
}

/** Keeps the cookies of each site, and follows redirects one at a time. */
export class Browser {
  readonly #jar = new Map<string, Map<string, string>>()
  /** Sends one request. */
  async send(url: string, init: RequestInit = {}): Promise<Response> {
    const { origin } = new URL(url)
    const jar = this.#jar.get(origin) ?? new Map<string, string>()
    this.#jar.set(origin, jar)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = {
      ...Object.fromEntries(new Headers(init.headers)),
      cookie,
      accept: 'text/html',
    }
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...rest] = line.split(';')
      const at = pair.indexOf('=')
      const isOver = rest.some((part) => /max-age=0|1970/i.test(part))
      if (isOver) jar.delete(pair.slice(0, at))
      else jar.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return response
  }
  /** Follows redirects until `stop` or a page. */
  async go(
    url: string,
    init: RequestInit = {},
  ): Promise<Readonly<{ url: string; response: Response }>> {
    let at = url
    let response = await this.send(at, init)
    for (let hops = 0; hops < 15; hops += 1) {
      const location = response.headers.get('location')
      if (location === null || at.includes('/callback')) break
      at = new URL(location, at).href
      response = await this.send(at)
    }
    return { url: at, response }
  }
  async submit(page: string, fields: Readonly<Record<string, string>>) {
    return this.go(page, { method: 'POST', body: new URLSearchParams(fields) })
  }
}
