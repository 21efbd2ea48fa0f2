import { ok } from '../answer.ts'
import { clientConfigEndpoints } from '../endpoints/client-config.ts'
import { handlers } from '../handlers.ts'

export type ClientConfig = Readonly<{
  version: string
  /** 0: ended jobs are kept. */
  jobRetentionDays: number
  maxBodyBytes: number
  /** Whether people sign in by a provider of OpenID Connect. */
  oidc: boolean
  /** Whether passwords open accounts. */
  passwordLogin: boolean
}>

export const clientConfigRoutes = handlers(clientConfigEndpoints, (config: ClientConfig) => ({
  getClientConfig: async () => ok(config),
}))
