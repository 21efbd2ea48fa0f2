/** A sender that can only send a fixed text, in a header or in the address: GitLab, monitors, cron services. */
import { z } from 'zod'
import { mapping, text } from '../../manifest-fields.ts'
import { headerName, secret } from '../fields.ts'
import { type Delivery, refused, scheme } from '../scheme.ts'

type Place = Readonly<{ header?: string | undefined; query?: string | undefined }>

const tokenIn = ({ header, query }: Place, delivery: Delivery): string | undefined =>
  header === undefined ? delivery.query(query ?? '') : delivery.header(header)

export const token = scheme({
  name: 'token',
  schema: mapping({
    scheme: z.literal('token'),
    secret,
    header: headerName.optional(),
    query: text(100).optional(),
  }).superRefine(({ header, query }, context) => {
    if ((header === undefined) !== (query === undefined)) return
    const message = 'must name where the token is: either header or query'
    context.addIssue({ code: 'custom', message })
  }),
  read: (settings, delivery) => {
    const shown = tokenIn(settings, delivery)
    return shown === undefined || shown === ''
      ? refused('missing_signature')
      : { kind: 'token', token: shown }
  },
  secretHeader: ({ header }) => header ?? null,
})
