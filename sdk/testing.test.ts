import { EventEmitter } from 'node:events'
import process from 'node:process'
import { expect, test } from 'vitest'
import { type ActionContext, NonRetryableError } from './mod.ts'
import { type TestAction, testDurable } from './testing.ts'

type Order = { order: string }

const main = async (ctx: ActionContext<Order>) => {
  const { order } = ctx.input
  const charge = await ctx.step('charge', () => `charge of ${order}`)
  await ctx.sleep('cool-off', { days: 2 })
  const paid = await ctx.waitForEvent('paid', { name: 'order.paid', match: order, timeoutS: 3_600 })
  if (paid === null) {
    await ctx.run('remind', { order })
    return { charge, paid: null }
  }
  const invoice = await ctx.call('invoice', 'billing/invoice', { order })
  return { charge, paid: paid.data, invoice, at: ctx.now() }
}

test('an action waits, takes its event and calls another action', async () => {
  const run = await testDurable(main, {
    input: { order: 'o1' },
    actions: { 'billing/invoice': ({ order }) => ({ number: `I-${String(order)}` }) },
  })
  expect(run.status).toBe('waiting')
  expect(run.waitingFor).toEqual([
    { name: 'cool-off', kind: 'sleep', event: null, until: new Date('2026-01-03T00:00:00Z') },
  ])
  expect(() => run.result).toThrow('it waits')
  expect(await run.sendEvent('order.paid', { key: 'o1' })).toBe(0)
  await run.advance({ days: 2 })
  expect(run.waitingFor).toMatchObject([{ event: { name: 'order.paid', key: 'o1' } }])
  expect(await run.sendEvent('order.paid', { key: 'other' })).toBe(0)
  expect(await run.sendEvent('order.paid', { key: 'o1', data: { amount: 20 } })).toBe(1)
  expect(run.result).toEqual({
    charge: 'charge of o1',
    paid: { amount: 20 },
    invoice: { number: 'I-o1' },
    at: Date.UTC(2026, 0, 3),
  })
  expect(run.steps.map(({ name, status, tries }) => [name, status, tries])).toEqual([
    ['charge', 'success', 1],
    ['cool-off', 'success', 1],
    ['paid', 'success', 1],
    ['invoice', 'success', 1],
  ])
  expect(run.stretches).toBe(3)
})

test('a time limit passes, and what the action starts is on record', async () => {
  const run = await testDurable(main, { input: { order: 'o2' } })
  await run.advance({ days: 2, hours: 1 })
  expect(run.result).toEqual({ charge: 'charge of o2', paid: null })
  expect(run.started).toEqual([{ kind: 'action', target: 'remind', data: { order: 'o2' } }])
  expect(run.now).toEqual(new Date('2026-01-03T01:00:00Z'))
})

test('a wait until a time that has passed ends at once, and so does one that is over as main runs again', async () => {
  let left = 60
  const run = await testDurable(async (ctx: ActionContext) => {
    const late = await ctx.waitForEvent('late', { name: 'paid', timeoutS: -5 })
    await ctx.sleep('past', { seconds: -5 })
    await ctx.sleep('first', { seconds: left })
    const paid = await ctx.waitForEvent('second', { name: 'paid', timeoutS: left })
    return [late, paid]
  })
  expect(run.waitingFor).toMatchObject([{ name: 'first' }])
  left = -1
  await run.advance({ minutes: 1 })
  expect(run.result).toEqual([null, null])
})

test('a canceled run does nothing more', async () => {
  const cleaned: string[] = []
  const run = await testDurable(async (ctx: ActionContext) => {
    try {
      await ctx.waitForEvent('paid', { name: 'order.paid', timeoutS: 60 })
    } finally {
      cleaned.push('no')
    }
  })
  expect(await run.cancel({ reason: 'The order was withdrawn.' })).toBe(true)
  expect(run.status).toBe('canceled')
  expect(run.error).toEqual({ name: 'Canceled', message: 'The order was withdrawn.' })
  expect(() => run.result).toThrow('Canceled: The order was withdrawn.')
  expect(run.waitingFor).toEqual([])
  expect(run.steps).toMatchObject([
    { name: 'paid', status: 'failure', error: { name: 'Canceled' } },
  ])
  expect(await run.sendEvent('order.paid')).toBe(0)
  await run.advance({ hours: 1 })
  expect([run.stretches, cleaned]).toEqual([1, []])
  expect(await run.cancel()).toBe(false)
})

test('a run that has ended stays as it is, and a cancel needs no reason', async () => {
  const done = await testDurable(() => 'done')
  expect(await done.cancel()).toBe(false)
  expect(done.result).toBe('done')
  const waiting = await testDurable((ctx: ActionContext) => ctx.sleep('pause', { days: 1 }))
  await waiting.cancel()
  expect(waiting.error).toEqual({ name: 'Canceled', message: 'The job was canceled.' })
})

test('after a crash a recorded step does not run again', async () => {
  let charges = 0
  const run = await testDurable(
    async (ctx) => {
      await ctx.step('charge', () => {
        charges += 1
      })
      await ctx.step('ship', () => null)
      return ctx.job.attempt
    },
    { crashAfter: ['charge', 'ship'] },
  )
  expect([charges, run.stretches]).toEqual([1, 3])
  // on a server too the attempt after a lost worker is the next one
  expect(run.result).toBe(3)
})

test('a crash does not count in `maxAttempts`, which counts failures', async () => {
  const run = await testDurable(
    async (ctx) => {
      await ctx.step('charge', () => null)
      if (ctx.job.attempt < 3) throw new Error('busy')
      return ctx.job.attempt
    },
    { crashAfter: ['charge'], maxAttempts: 2 },
  )
  expect(run.result).toBe(3)
})

test('a crash calls no action again, also none that failed; another attempt after a failure does', async () => {
  const calls: unknown[] = []
  const rows: Readonly<Record<string, TestAction>> = {
    row: ({ id }) => {
      calls.push(id)
      if (id === 2) throw new Error('bad row')
      return null
    },
  }
  const call = (ctx: ActionContext, id: number) => ctx.call(`row-${id}`, 'row', { id })
  const main = async (ctx: ActionContext) => {
    const ended = await Promise.allSettled([1, 2, 3].map((id) => call(ctx, id)))
    await ctx.step('report', () => null)
    if (ctx.job.attempt === 2) throw new Error('busy')
    return ended.map(({ status }) => status)
  }
  const run = await testDurable(main, { actions: rows, crashAfter: ['report'] })
  expect([run.status, calls]).toEqual(['failure', [1, 2, 3]])

  calls.length = 0
  const again = await testDurable(main, { actions: rows, crashAfter: ['report'], maxAttempts: 2 })
  expect(again.result).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(calls).toEqual([1, 2, 3, 2])
})

test('a crash after a step that the run never records is a fault of the test', async () => {
  const main = async (ctx: ActionContext) => ctx.step('charge', () => null)
  await expect(testDurable(main, { crashAfter: ['chargo'] })).rejects.toThrow(
    'without the step "chargo"',
  )
})

test('steps in parallel wait for all that they wait for', async () => {
  const run = await testDurable(async (ctx) =>
    Promise.all([
      ctx.waitForEvent('a', { name: 'a.came' }),
      ctx.sleep('b', { hours: 1 }).then(() => ctx.step('after', () => 'slept')),
    ]),
  )
  expect(run.waitingFor.map(({ name }) => name)).toEqual(['a', 'b'])
  await run.advance({ hours: 1 })
  expect(run.waitingFor.map(({ name }) => name)).toEqual(['a'])
  await run.sendEvent('a.came')
  expect(run.result).toMatchObject([{ name: 'a.came' }, 'slept'])
})

test('a step is tried again, and an attempt too, until an error is final', async () => {
  let tries = 0
  const flaky = await testDurable(async (ctx) =>
    ctx.step(
      'flaky',
      () => {
        tries += 1
        if (tries < 3) throw new Error('not yet')
        return tries
      },
      { retry: { maxAttempts: 3, delayMs: 60_000 } },
    ),
  )
  expect(flaky.waitingFor).toMatchObject([{ name: 'flaky', kind: 'step' }])
  await flaky.advance({ minutes: 2 })
  expect(flaky.result).toBe(3)

  let attempts = 0
  const again = async (error: Error) =>
    testDurable(
      () => {
        attempts += 1
        throw error
      },
      { maxAttempts: 3 },
    )
  expect((await again(new Error('no'))).error).toEqual({ name: 'Error', message: 'no' })
  expect(attempts).toBe(3)
  expect((await again(new NonRetryableError('no', { name: 'Declined' }))).error?.name).toBe(
    'Declined',
  )
  expect(attempts).toBe(4)
})

test('an unknown action is refused as the server refuses it', async () => {
  const run = await testDurable(async (ctx) => ctx.call('invoice', 'billing/none'))
  expect(run.error?.message).toContain('Action "billing/none" not found.')
})

test('a called flow is a function of the test', async () => {
  const run = await testDurable(
    async (ctx) => {
      const month = await ctx.callFlow('month', 'billing/month', { month: 11 })
      const failed = await ctx.callFlow('bad', 'bad').catch((error: unknown) => error)
      return [month, Reflect.get(Object(failed), 'name'), Reflect.get(Object(failed), 'flow')]
    },
    {
      flows: {
        'billing/month': ({ month }) => ({ month, total: 5 }),
        bad: () => {
          throw new RangeError('no')
        },
      },
      crashAfter: ['month'],
    },
  )
  expect(run.result).toEqual([{ month: 11, total: 5 }, 'RangeError', 'bad'])
  expect(run.steps.map(({ name, kind, status }) => [name, kind, status])).toEqual([
    ['month', 'job', 'success'],
    ['bad', 'job', 'failure'],
  ])
})

test('an unknown flow is refused as the server refuses it, also one that is an action', async () => {
  const call = (ctx: ActionContext) => ctx.callFlow('month', 'billing/month')
  const run = await testDurable(call, { actions: { 'billing/month': () => 1 } })
  expect(run.error?.message).toContain('Flow "billing/month" not found.')
})

test('a target, input or event that the server refuses is refused', async () => {
  const codes: unknown[] = []
  const run = await testDurable(
    async (ctx) => {
      const calls = [
        () => ctx.run('a/b/c'),
        () => ctx.startFlow('Shop/month'),
        () => ctx.run('ship', 'none' as never),
        () => ctx.sendEvent('Order Paid'),
        () => ctx.call('invoice', 'not a key'),
        () => ctx.call('other', 'bill', [1] as never),
      ]
      for (const call of calls) {
        await call().catch((error: unknown) => codes.push(Reflect.get(Object(error), 'code')))
      }
    },
    { actions: { 'not a key': () => 1, bill: () => 1 } },
  )
  expect(codes).toEqual([
    'bad_key',
    'bad_key',
    'not_an_object',
    'invalid',
    'bad_key',
    'not_an_object',
  ])
  expect(run.started).toEqual([])
})

test('short retries of a step pass at once, and a wrong duration is named', async () => {
  let tries = 0
  const run = await testDurable(async (ctx) =>
    ctx.step(
      'busy',
      () => {
        tries += 1
        if (tries < 4) throw new Error('busy')
        return tries
      },
      { retry: { maxAttempts: 4, delayMs: 4_000 } },
    ),
  )
  expect(run.result).toBe(4)
  await expect(run.advance({})).rejects.toThrow('advance takes')
  await expect(run.advance({ days: -1 })).rejects.toThrow('advance takes')
})

test.each<[string, () => void]>([
  ['a rejection that nothing handles', () => void Promise.reject(new Error('lost'))],
  [
    'a later rejection',
    () => void new Promise((go) => setTimeout(go, 5)).then(() => Promise.reject(new Error('lost'))),
  ],
  ['an error of a microtask', () => queueMicrotask(() => expect.fail('lost'))],
  ['an error of a timer', () => void setTimeout(() => expect.fail('lost'), 5)],
  [
    'an error that an emitter throws later',
    () => process.nextTick(() => new EventEmitter().emit('error', new Error('lost'))),
  ],
])('%s fails the run, as it fails a job', async (_, act) => {
  const run = await testDurable(async () => {
    act()
    await new Promise((go) => setTimeout(go, 50))
    return 'went on'
  })
  expect(run.error?.message).toBe('lost')
})

test('an error after the end of a run is ignored', async () => {
  const run = await testDurable(() => {
    setImmediate(() => setImmediate(() => void Promise.reject(new Error('late'))))
    return 'done'
  })
  await new Promise((go) => setTimeout(go, 20))
  expect(run.result).toBe('done')
})

test('an action reads the webhook that started it, and the flow that it belongs to', async () => {
  const act = async ({ trigger, flow, approval }: ActionContext) => ({
    body: JSON.parse(trigger.raw ?? 'null'),
    event: trigger.headers?.['X-Event'],
    run: flow.runId,
    note: flow.resumeValue?.note,
    links: await approval.getResumeUrls().catch(() => null),
  })
  const ofWebhook = await testDurable(act, {
    trigger: { kind: 'webhook', raw: '{"id":1}', encoding: 'utf8', headers: { 'X-Event': 'push' } },
  })
  expect(ofWebhook.result).toEqual({ body: { id: 1 }, event: 'push', links: null })
  const ofFlow = await testDurable(act, {
    flow: { runId: 'r1', step: 'pay', resumeValue: { note: 'fine' } },
  })
  expect(ofFlow.result).toEqual({
    body: null,
    run: 'r1',
    note: 'fine',
    links: expect.objectContaining({ approvalPage: 'http://localhost/approval' }),
  })
})
