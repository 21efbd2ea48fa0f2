/** A sender that can only send a fixed text, in a header or in the address: GitLab, monitors, cron services. */
import { z } from 'zod'
import { mapping, text } from '../../manifest/fields.ts'
import { headerName, secret } from '../fields.ts'
import { type Delivery, refused, scheme } from '../scheme.ts'

type Place = Readonly<{ header?: string | undefined; query?: string | undefined }>

/**
 * HTTP passes each byte of a header as a character, but senders write UTF-8. Bytes that are not UTF-8 stay these characters.
 */
const headerText = (value: string): string => {
  const bytes = Uint8Array.from(value, (character) => character.charCodeAt(0))
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    // not UTF-8, so the sender wrote Latin-1
    return value
  }
}

const tokenIn = ({ header, query }: Place, delivery: Delivery): string | undefined => {
  if (header === undefined) return delivery.query(query ?? '')
  const value = delivery.header(header)
  return value === undefined ? undefined : headerText(value)
}

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
