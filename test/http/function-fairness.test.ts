/** Slow functions of one tenant leave room for the functions of another (docs/security.md states the bound). */
import { availableParallelism } from 'node:os'
import { afterEach, describe, expect, it } from 'vitest'
import { AppError } from '#core/error.ts'
import { gateLimits } from '#node/open-functions.ts'
import type { TestApp } from '../support/create-test-app.ts'
import {
  createFunctionApp,
  type FunctionApp,
  type FunctionAppOptions,
} from '../support/function-app.ts'
import { createTenant } from '../support/tenant.ts'

const SLOW_CALLS = 60
/** The bound that docs/security.md promises, with room for other load on the machine. */
const COLD_BOUND_MS = 5_000
const WARM_BOUND_MS = 1_000
const QUICK_CALLS = 20

const SOURCES = {
  'functions/sleep/index.ts':
    'export default () => new Promise(() => setInterval(() => undefined, 1000))',
  'functions/sleep/function.yaml': 'timeoutS: 300\n',
  'functions/quick/index.ts': "export default () => 'done'",
}

let functions: FunctionApp | null = null
let app: TestApp
let abort = new AbortController()
afterEach(async () => {
  abort.abort()
  abort = new AbortController()
  await functions?.close()
})

const open = async (options: FunctionAppOptions): Promise<string> => {
  functions = await createFunctionApp(options)
  app = functions.app
  for (const ws of ['sleepers', 'others']) {
    const { token } = await createTenant(app, ws)
    await app.call('POST', `/api/w/${ws}/apps`, { token, json: { key: 'shop', name: 'Shop' } })
    const made = await functions.deploy(SOURCES, `/api/w/${ws}/apps/shop/functions`, token)
    expect(made.status).toBe(200)
  }
  return app.listen()
}

/** Starts a call without waiting for its response. The end of the test aborts it. */
const sleep = (url: string): void =>
  void fetch(`${url}/fn/sleepers/shop/sleep`, { signal: abort.signal }).catch(() => undefined)

describe('while one tenant’s functions sleep', () => {
  it(`another’s answer within ${WARM_BOUND_MS} ms, from the same address too`, async () => {
    const url = await open({ gate: gateLimits(availableParallelism()) })
    for (let at = 0; at < SLOW_CALLS; at += 1) sleep(url)
    const times: number[] = []
    for (let at = 0; at < QUICK_CALLS; at += 1) {
      const before = performance.now()
      const answer = await fetch(`${url}/fn/others/shop/quick`)
      expect(await answer.text()).toBe('done')
      times.push(Math.round(performance.now() - before))
    }
    const [first = 0, ...others] = times
    const all = times.join(', ')
    // the first call has to start a process
    expect(first, all).toBeLessThan(COLD_BOUND_MS)
    expect(Math.max(...others), all).toBeLessThan(WARM_BOUND_MS)
  })

  it('its own further calls are refused with the time to come again', async () => {
    const url = await open({ gate: { atOnce: 1, most: 2, reserve: 1, waitingOfWorkspace: 1 } })
    sleep(url)
    sleep(url)
    await expect
      .poll(async () => {
        const answer = await fetch(`${url}/fn/sleepers/shop/quick`, {
          signal: AbortSignal.timeout(1_000),
        }).catch(() => null)
        return answer === null
          ? null
          : [answer.status, answer.headers.get('retry-after'), await answer.json()]
      })
      .toMatchObject([503, '1', { code: 'busy', request_id: expect.any(String) }])
    expect((await fetch(`${url}/fn/others/shop/quick`)).status).toBe(200)
    // a refusal must not be logged as a fault of svc
    expect(app.errors).toEqual([])
  })
})

it('calls of functions count against the limit of their address', async () => {
  const counted: (string | null)[] = []
  const url = await open({
    countCall: (address, onTaken) => {
      counted.push(address)
      onTaken({ limit: 2, remaining: 2 - counted.length, resetS: 1 })
      if (counted.length > 2) throw new AppError('rate_limited', 'Slow down.', { retryAfterS: 3 })
    },
  })
  const call = () => fetch(`${url}/fn/others/shop/quick`)
  const first = await call()
  expect([first.status, (await call()).status]).toEqual([200, 200])
  expect(first.headers.get('ratelimit')).toBe('"default";r=1;t=1')
  expect(first.headers.get('ratelimit-policy')).toBe('"default";q=2;w=1')
  const refused = await call()
  expect(refused.headers.get('ratelimit-policy')).toBe('"default";q=2;w=1')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3'])
  expect(counted).toEqual(['127.0.0.1', '127.0.0.1', '127.0.0.1'])
})
