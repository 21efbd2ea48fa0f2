/** The record of schemes. Everything that is specific to a scheme is in the scheme's own file. */
import { z } from 'zod'
import type { BoundScheme } from './scheme.ts'
import { github } from './schemes/github.ts'
import { hmac } from './schemes/hmac.ts'
import { none } from './schemes/none.ts'
import { slack } from './schemes/slack.ts'
import { stripe } from './schemes/stripe.ts'
import { token } from './schemes/token.ts'

const SCHEMES = { stripe, github, slack, hmac, token, none }

export type SchemeName = keyof typeof SCHEMES

export const SCHEME_NAMES = [
  'stripe',
  'github',
  'slack',
  'hmac',
  'token',
  'none',
] as const satisfies readonly SchemeName[]

/** The field `verify` of a webhook. */
export const verifySchema = z.discriminatedUnion(
  'scheme',
  [stripe.schema, github.schema, slack.schema, hmac.schema, token.schema, none.schema],
  {
    error: ({ input }) =>
      typeof input === 'string'
        ? 'must be a mapping, such as { scheme: github, secret: GITHUB_SECRET }'
        : `must have a scheme, one of ${SCHEME_NAMES.join(', ')}`,
  },
)

export type Verify = z.output<typeof verifySchema>

export const schemeOf = (verify: Verify): BoundScheme => SCHEMES[verify.scheme].bind(verify)

/** Keys of the variables that contain the secret; empty for a scheme without one. */
export const secretKeysOf = (verify: Verify): readonly string[] =>
  'secret' in verify ? verify.secret : []
