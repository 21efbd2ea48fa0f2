/** Requires no proof: any caller who knows the address may call. The manifest must name it. */
import { z } from 'zod'
import { mapping } from '../../manifest/fields.ts'
import { scheme } from '../scheme.ts'

export const none = scheme({
  name: 'none',
  schema: mapping({ scheme: z.literal('none') }),
  read: () => ({ kind: 'open' }),
})
