import { NAME_KINDS } from '#core/deploy/names.ts'
import { json } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { wholeNumber } from '../schemas/whole-number.ts'
import { z } from '../schemas/z.ts'

export const nameEndpoints = {
  findNames: endpoint({
    method: 'get',
    path: '/names',
    in: 'workspace',
    admits: ['apps:read'],
    tag: 'Apps',
    summary: 'Names of apps, actions and functions that are deployed, found by a part of `app/key`',
    query: z.object({
      text: z.string().max(200).default(''),
      limit: wholeNumber(1, 500).default(50),
    }),
    answers: {
      200: json(
        'Apps first, then by name',
        z.object({
          items: z.array(z.object({ kind: z.enum(NAME_KINDS), app: z.string(), key: z.string() })),
        }),
      ),
    },
  }),
}
