/** Waits that last longer than servers keep the key of the requests. */
import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createClient } from '#cli-client/client.ts'
import { HOUR_MS } from '#core/time-units.ts'
import { serveCommands } from '../../test/support/command-target.ts'
import { runAndWait } from './run-and-wait.ts'

let starts = 0
serveCommands(({ url }, response) => {
  if (url === '/api/auth/me') return response.end('{"workspace":"default","scopes":["jobs:run"]}')
  starts += 1
  vi.setSystemTime(Date.now() + 12 * HOUR_MS)
  return response.writeHead(202).end('{"job_id":"1","status":"pending"}')
})
afterEach(() => vi.useRealTimers())

test('a wait ends before the server has forgotten the key of its requests, and would start again', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const wait = runAndWait(createClient(), '/jobs/run/hello/greet', { json: {}, ended: z.never() })
  await expect(wait).rejects.toMatchObject({
    code: 'waited_long',
    message: expect.stringMatching(/^The job 1 has not ended in 23 hours.*: svc jobs show 1$/),
  })
  expect(starts).toBe(2)
})
