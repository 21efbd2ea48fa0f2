/** The part of oidc-provider that the tests use. The package has no types. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  type Account = Readonly<{
    accountId: string
    claims: () => Promise<Readonly<Record<string, unknown>>>
  }>

  // biome-ignore lint/style/noDefaultExport: it is how the package exports its class
  export default class Provider {
    constructor(
      issuer: string,
      configuration: Readonly<Record<string, unknown>> &
        Readonly<{ findAccount: (context: unknown, id: string) => Account }>,
    )
    callback(): RequestListener
  }
}
