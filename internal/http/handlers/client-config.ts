import { ok } from '../answer.ts'
import { clientConfigEndpoints } from '../endpoints/client-config.ts'
import { handlers } from '../handlers.ts'

export type ClientConfig = Readonly<{
  version: string
  /** Days; 0 if ended jobs are kept. */
  jobRetentionDays: number
  maxBodyBytes: number
  /** Whether people sign in through an OpenID Connect provider. */
  oidc: boolean
  /** Whether people may sign in with passwords. */
  passwordLogin: boolean
}>

export const clientConfigRoutes = handlers(clientConfigEndpoints, (config: ClientConfig) => ({
  getClientConfig: async () => ok(config),
}))
