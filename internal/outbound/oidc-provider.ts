/** What svc fetches from an OpenID Connect provider: bounded JSON, its metadata and its keys. */
import { createRemoteJWKSet, customFetch } from 'jose'
import { z } from 'zod'
import { isEndpoint } from '#core/access/oidc-identity.ts'
import { AppError } from '#core/error.ts'
import { parseJsonOrNull } from '#core/json/value.ts'
import { connectionCode, explainCertificate } from '#core/network/certificate-fault.ts'

const TIMEOUT_MS = 10_000
/** Reading it as JSON takes at most 10 ms, whatever it contains. Real documents and key sets have a tenth of it. */
const MAX_BYTES = 131_072
/** Milliseconds for which the metadata of the provider is cached. */
const METADATA_MS = 600_000
/** Milliseconds between two fetches of the keys for notices, because anyone may send some that name unknown keys. */
const NOTICE_COOLDOWN_MS = 5_000

const endpoint = z.string().refine(isEndpoint, 'must be an https address')

const metadataShape = z.looseObject({
  issuer: z.string(),
  authorization_endpoint: endpoint,
  token_endpoint: endpoint,
  jwks_uri: endpoint,
  userinfo_endpoint: endpoint.optional(),
  end_session_endpoint: endpoint.optional(),
  /** Whether its answers to the browser name it (RFC 9207). */
  authorization_response_iss_parameter_supported: z.boolean().catch(false),
  prompt_values_supported: z.array(z.string()).catch([]),
  token_endpoint_auth_methods_supported: z.array(z.string()).default(['client_secret_basic']),
})
export type Metadata = z.infer<typeof metadataShape>

export type ProviderKeys = ReturnType<typeof createRemoteJWKSet>

export type Provider = Readonly<{
  metadata: Metadata
  /** Keys of tokens that the provider itself sent to svc. */
  keys: ProviderKeys
  /** Keys of tokens that any caller may have sent. */
  keysOfNotices: ProviderKeys
}>

const unreachable = (cause: unknown): AppError =>
  new AppError('bad_gateway', 'The sign-in provider does not answer. Try again shortly.', {
    code: 'oidc_unreachable',
    cause,
  })

/** Adds to a failed connection what to do about the certificate, if that is the reason. */
const unreachableAt = (url: string, cause: unknown): AppError => {
  const explained = explainCertificate(new URL(url).origin, connectionCode(cause))
  return unreachable(explained === null ? cause : new Error(explained))
}

/** Fetches an answer whole. @throws {Error} it is longer than 128 KiB, whether or not it announces its length */
const fetchBounded = async (url: string, init: RequestInit): Promise<Response> => {
  const answer = await fetch(url, init)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of answer.body ?? []) {
    size += chunk.length
    if (size > MAX_BYTES) throw new Error(`The answer has more than ${MAX_BYTES} bytes.`)
    chunks.push(chunk)
  }
  return new Response(size === 0 ? null : Buffer.concat(chunks), { status: answer.status })
}

/** `json` is null if the answer is not JSON. */
type Answer = Readonly<{ status: number; json: unknown }>

/** @throws {AppError} bad_gateway: no answer, or one that is too long */
export const fetchJson = async (url: string, init: RequestInit = {}): Promise<Answer> => {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const answer = await fetchBounded(url, { ...init, redirect: 'error', signal })
    return { status: answer.status, json: parseJsonOrNull(await answer.text()) }
  } catch (error) {
    throw unreachableAt(url, error)
  }
}

/** Fetches the keys. @throws {AppError} bad_gateway: no answer, or one without keys, which proves nothing about a token */
const fetchKeys = async (url: string, init: RequestInit): Promise<Response> => {
  let answer: Response
  try {
    answer = await fetchBounded(url, init)
  } catch (error) {
    throw unreachableAt(url, error)
  }
  if (answer.status !== 200) throw unreachable(new Error(`${url} answered ${answer.status}.`))
  return answer
}

const keysAt = (url: string, cooldownDuration: number): ProviderKeys =>
  createRemoteJWKSet(new URL(url), {
    cooldownDuration,
    timeoutDuration: TIMEOUT_MS,
    [customFetch]: fetchKeys,
  })

const fetchProvider = async (issuer: string): Promise<Provider> => {
  const base = issuer.replace(/\/$/, '')
  const address = `${base}/.well-known/openid-configuration`
  const { status, json } = await fetchJson(address)
  if (status !== 200) {
    throw unreachable(new Error(`${address} answered ${status}. Check SVC_OIDC_ISSUER.`))
  }
  const parsed = metadataShape.safeParse(json)
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    throw unreachable(new Error(`${address} is not usable. ${faults.join('; ')}`))
  }
  const metadata = parsed.data
  if (metadata.issuer !== issuer) {
    const named = `The provider calls itself ${metadata.issuer}, not ${issuer}.`
    throw unreachable(new Error(`${named} Set SVC_OIDC_ISSUER to exactly that text.`))
  }
  return {
    metadata,
    keys: keysAt(metadata.jwks_uri, 0),
    keysOfNotices: keysAt(metadata.jwks_uri, NOTICE_COOLDOWN_MS),
  }
}

/** Returns a function that finds the provider. Callers at the same time share one fetch. */
export const createDiscovery = (issuer: string, now: () => number): (() => Promise<Provider>) => {
  let known: Readonly<{ provider: Provider; at: number }> | null = null
  let fetching: Promise<Provider> | null = null
  const fetchOnce = async (): Promise<Provider> => {
    try {
      const provider = await fetchProvider(issuer)
      known = { provider, at: now() }
      return provider
    } finally {
      fetching = null
    }
  }
  return async () => {
    if (known !== null && now() - known.at < METADATA_MS) return known.provider
    fetching ??= fetchOnce()
    return await fetching
  }
}
