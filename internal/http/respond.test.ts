import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { unavailable } from '#core/error.ts'
import { JsonText } from '#core/json/text.ts'
import type { Logger } from '#log/logger.ts'
import { countTurns } from '../../test/support/count-turns.ts'
import type { Env } from './received.ts'
import { failure, toResponse } from './respond.ts'

test('a large answer is encoded in parts, between which other work runs, and states its length', async () => {
  // pairs of surrogates where parts end
  const text = JSON.stringify(`a${'😀'.repeat(1_000_000)}`)
  const response = toResponse({ status: 200, body: new JsonText(text) }, 'id')
  expect(response.headers.get('content-length')).toBe(String(4_000_003))
  const { result, turns } = await countTurns(() => response.text())
  expect(result === text).toBe(true)
  expect(turns).toBeGreaterThanOrEqual(8)
})

test('a caller that disconnected does not take the log line of those that wait', async () => {
  const logged: string[] = []
  const ignore = (): void => undefined
  const log: Logger = {
    debug: ignore,
    info: ignore,
    warn: ignore,
    error: (message) => logged.push(message),
  }
  const error = unavailable('The database of this test fails.')
  const app = new Hono<Env>()
  app.get('/', (context) => failure({ log }, context, { error, requestId: 'id' }))
  const request = (signal: AbortSignal) => app.request(new Request('http://svc.test/', { signal }))
  await request(AbortSignal.abort())
  expect(logged).toEqual([])
  for (let n = 0; n < 3; n += 1) await request(new AbortController().signal)
  expect(logged).toEqual(['A request failed.'])
})
