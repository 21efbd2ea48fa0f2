/** `ctx.sendEvent` on both runtimes: what reaches the host, and what the guest refuses. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { notFound } from '#core/error.ts'
import type { StartCall } from '#core/job/start-call.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import { main, openPool, RUNTIMES, runJob } from './job.ts'

const CODE = main(`
  const refused = []
  for (const args of [[7], [''], ['a', { data: 'x'.repeat(1048576) }]]) {
    try { await ctx.sendEvent(...args) } catch ({ code }) { refused.push(code) }
  }
  return [
    await ctx.sendEvent('order.paid', { key: '7', data: [1], id: 'own' }),
    await ctx.run('ship'),
    await ctx.sendEvent('plain'),
    refused,
  ]`)

describe.each(RUNTIMES)('on %s', (_name, open) => {
  let pool: Sandbox
  beforeAll(() => {
    pool = openPool(open())
  })
  afterAll(() => pool.close())

  it('names the line of a call that the host refuses', async () => {
    const refused = notFound('Action "ship"', { code: 'action_not_found' })
    const start = () => Promise.reject(refused)
    const { log } = await runJob(pool, { code: main("\nawait ctx.run('ship')"), start })
    expect(log.replaceAll("'", '"')).toBe(
      'Error: Action "ship" not found.\n    at main (svc-bundle:actions/act.ts:2:11) {\n  code: "action_not_found"\n}\n',
    )
  })

  it('logs nothing for what has no stack', async () => {
    expect((await runJob(pool, { code: main("throw 'text'") })).log).toBe('')
  })

  it('sends name, key, data and id, and counts with ctx.run', async () => {
    const calls: StartCall[] = []
    const start = async (call: StartCall): Promise<string> => {
      calls.push(call)
      return `id-${call.number}`
    }
    const { outcome } = await runJob(pool, { code: CODE, start })
    if (outcome.kind !== 'success') throw new Error(JSON.stringify(outcome))
    expect(JSON.parse(outcome.resultJson)).toEqual([
      { eventId: 'id-4' },
      { jobId: 'id-5' },
      { eventId: 'id-6' },
      ['invalid', 'invalid', 'too_large'],
    ])
    expect(calls).toEqual([
      {
        kind: 'event',
        target: 'order.paid',
        number: 4,
        options: { key: '7', id: 'own' },
        inputJson: '[1]',
      },
      { kind: 'action', target: 'ship', number: 5, options: {}, inputJson: '{}' },
      { kind: 'event', target: 'plain', number: 6, options: {}, inputJson: 'null' },
    ])
  })
})
