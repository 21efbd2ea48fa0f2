/** Fields that the schemes of a webhook share. Messages are read after the field's name. */
import { z } from 'zod'
import { VARIABLE_KEY } from '../key-patterns.ts'
import { limit } from '../limit.ts'
import { list } from '../manifest/fields.ts'

const MAX_SECRETS = limit(
  'app.webhook_secrets',
  5,
  'items',
  'Variables in `verify.secret` of a webhook.',
)

const variableKey = z
  .string('must be the key of a workspace variable')
  .regex(VARIABLE_KEY, 'must be the key of a workspace variable, for example STRIPE_WEBHOOK_SECRET')

/** Keys of workspace variables. A match with any one suffices, so that a secret can be replaced without a gap. */
export const secret = z.union(
  [
    variableKey.transform((key): readonly string[] => [key]),
    list(variableKey, MAX_SECRETS).min(1, 'must name at least one variable').readonly(),
  ],
  'must be the key of a workspace variable, or a list of such keys',
)

/** A name of a header, as HTTP writes it. */
export const headerName = z
  .string('must be the name of a header')
  .regex(/^[!#$%&'*+.^_`|~\dA-Za-z-]{1,100}$/, 'must be the name of a header')
