/** The settings of the HTTP surface. */
import type { Config } from '#config/config.ts'
import { createClientAddress } from '#http/admission/client-address.ts'
import { createRateLimiter } from '#http/admission/rate-limit.ts'
import type { HttpDeps } from '#http/http-deps.ts'

type FromConfig = Pick<HttpDeps, 'maxBodyBytes' | 'baseUrl' | 'toClientAddress' | 'rateLimit'>

/** @throws {Error} a trusted proxy is neither an address nor a subnet */
export const httpSettings = (config: Config): FromConfig => ({
  maxBodyBytes: config.maxBodyBytes,
  baseUrl: config.baseUrl?.replace(/\/+$/, '') ?? null,
  toClientAddress: createClientAddress(config.trustedProxies),
  rateLimit: createRateLimiter(
    {
      run: config.rateRunPerS,
      other: config.rateOtherPerS,
      anonymous: config.rateAnonymousPerS,
      hook: config.rateHookPerS,
    },
    () => performance.now(),
  ),
})
