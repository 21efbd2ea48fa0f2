import { describe, expect, it, test } from 'vitest'
import { type ActionContext, createApp, type Middleware, NonRetryableError } from './mod.ts'
import { testDurable } from './testing.ts'

/** A context for tests that read only the input. */
const contextOf = (input: ActionContext['input']): ActionContext => ({
  input,
  trigger: { kind: 'api' },
  variables: {},
  resources: {},
  job: { id: 'j', app: 'a', action: 'b', commit: 'c', attempt: 1 },
  state: {
    get: async () => null,
    set: async () => undefined,
    update: async (_key, change) => change(null),
    delete: async () => undefined,
    list: async () => [],
  },
  run: () => Promise.reject(new Error('no svc')),
  startFlow: () => Promise.reject(new Error('no svc')),
  sendEvent: () => Promise.reject(new Error('no svc')),
  cancel: () => Promise.reject(new Error('no svc')),
  fetch: () => Promise.reject(new Error('no svc')),
  progress: () => Promise.resolve(),
  step: () => Promise.reject(new Error('no svc')),
  sleep: () => Promise.reject(new Error('no svc')),
  waitForEvent: () => Promise.reject(new Error('no svc')),
  call: () => Promise.reject(new Error('no svc')),
  callFlow: () => Promise.reject(new Error('no svc')),
  now: () => 0,
  random: () => 0,
  uuid: () => '',
  approval: { getResumeUrls: () => Promise.reject(new Error('no flow')) },
  flow: {},
  signal: new AbortController().signal,
  log: () => undefined,
})

const run = (middlewares: readonly Middleware[], input: ActionContext['input'] = null) => {
  const app = createApp()
  for (const middleware of middlewares) app.use(middleware)
  return app.main(async (ctx) => ({ input: ctx.input }))(contextOf(input))
}

describe('NonRetryableError', () => {
  it('keeps the name it was given, and is marked for svc', () => {
    const cause = new Error('declined')
    const error = new NonRetryableError('no', { name: 'CardDeclined', cause })
    expect(error).toMatchObject({ name: 'CardDeclined', message: 'no', cause })
    expect(Reflect.get(error, Symbol.for('svc.nonRetryable'))).toBe(true)
    expect(new NonRetryableError('no').name).toBe('NonRetryableError')
  })
})

describe('createApp', () => {
  it('without middleware runs main alone', async () => {
    expect(await run([], 'x')).toEqual({ input: 'x' })
  })

  it('runs middleware in the order added, the first outermost', async () => {
    const order: string[] = []
    const trace =
      (name: string): Middleware =>
      async (_, next) => {
        order.push(`${name} in`)
        const result = await next()
        order.push(`${name} out`)
        return result
      }
    await run([trace('a'), trace('b')])
    expect(order).toEqual(['a in', 'b in', 'b out', 'a out'])
  })

  it('lets middleware rewrite the input before main', async () => {
    const app = createApp()
    app.use(async (ctx, next) => {
      ctx.input = { raw: ctx.input }
      return next()
    })
    const main = app.main<{ raw: string }>((ctx) => ctx.input.raw.toUpperCase())
    const context: unknown = contextOf('text')
    expect(await main(context as ActionContext<{ raw: string }>)).toBe('TEXT')
  })

  it('lets middleware change the result, and replace main', async () => {
    expect(await run([async (_, next) => [await next()]], 1)).toEqual([{ input: 1 }])
    expect(await run([() => 'cached'])).toBe('cached')
    expect(await run([() => null])).toBeNull()
    expect(await run([() => undefined])).toBeUndefined()
  })

  it('keeps the result of main when middleware only waits for it', async () => {
    const wait: Middleware = async (_, next) => {
      await next()
    }
    const start: Middleware = (_, next) => {
      void next()
    }
    expect(await run([wait, start], 'kept')).toEqual({ input: 'kept' })
    expect(await run([async (_, next) => ((await next()) === 'x' ? 1 : null)])).toBeNull()
  })

  it('refuses a second next() in one middleware', async () => {
    let runs = 0
    const app = createApp()
    app.use(async (_, next) => {
      await next()
      return next()
    })
    const main = app.main(() => {
      runs += 1
    })
    await expect(main(contextOf(null))).rejects.toThrow('next() was called twice')
    expect(runs).toBe(1)
  })

  it('passes errors of main to middleware, and of middleware to the caller', async () => {
    const app = createApp()
    app.use(async (_, next) => {
      try {
        return await next()
      } catch (error) {
        return error instanceof Error ? error.message : 'unknown'
      }
    })
    const main = app.main(() => {
      throw new Error('from main')
    })
    expect(await main(contextOf(null))).toBe('from main')
    const failing: Middleware = () => {
      throw new Error('from middleware')
    }
    await expect(run([failing])).rejects.toThrow('from middleware')
  })

  it('serves many jobs at once with one chain', async () => {
    const app = createApp().use((ctx, next) => {
      ctx.input = [ctx.input]
      return next()
    })
    const main = app.main((ctx) => ctx.input)
    const results = await Promise.all([1, 2, 3].map((n) => main(contextOf(n))))
    expect(results).toEqual([[1], [2], [3]])
  })
})

test('the data of an event and the result of a call have the types that the action names', async () => {
  const main = async (ctx: ActionContext): Promise<number> => {
    const paid = await ctx.waitForEvent<{ amount: number }>('paid', { name: 'order.paid' })
    const invoice = await ctx.call<{ total: number }>('invoice', 'billing/invoice')
    const month = await ctx.callFlow<{ total: number }>('month', 'billing/month')
    const rest = await ctx.call('rest', 'billing/rest')
    // @ts-expect-error without a type it is any JSON
    return (paid?.data.amount ?? 0) + invoice.total + month.total + rest
  }
  const run = await testDurable(main, {
    actions: { 'billing/invoice': () => ({ total: 20 }), 'billing/rest': () => 300 },
    flows: { 'billing/month': () => ({ total: 50_000 }) },
  })
  await run.sendEvent('order.paid', { data: { amount: 4_000 } })
  expect(run.result).toBe(54_320)
})
