import { expect, test } from 'vitest'
import { json, ok, problem } from './answer.ts'
import { endpoint } from './endpoint.ts'
import { handlers } from './handlers.ts'
import { z } from './schemas/z.ts'
import { time } from './wire.ts'

const things = {
  getThing: endpoint({
    method: 'get',
    path: '/things/{id}',
    in: 'workspace',
    admits: ['jobs:read'],
    tag: 'Things',
    summary: 'A thing',
    answers: {
      200: json('It', z.object({ id: z.string(), made_at: time })),
      404: problem('Unknown id'),
    },
  }),
}

test('a handler answers what its endpoint declares', () => {
  const bind = handlers(things, (deps: { madeAt: number }) => ({
    getThing: async ({ params: { id } }) => ok({ id, ...deps }),
  }))
  expect(bind({ madeAt: 0 })).toMatchObject([
    { operationId: 'getThing', path: '/api/w/{ws}/things/{id}', admits: ['jobs:read'] },
  ])
})

test('an answer that its schema does not allow does not compile', () => {
  // @ts-expect-error the time is missing
  const lacking = handlers(things, () => ({ getThing: async () => ok({ id: 'a' }) }))
  const wrong = handlers(things, () => ({
    // @ts-expect-error the time is a number
    getThing: async () => ok({ id: 'a', madeAt: 'yesterday' }),
  }))
  expect([lacking, wrong]).toHaveLength(2)
})
