/** Durable programs whose outcome is the same wherever they run. `kept(act)` is a value, or the error that `act` threw. */
import type { Program } from './three-runners.ts'

const program = (main: string, more: Omit<Program, 'main'> = {}): Program => ({ main, ...more })

const GOOD = { good: 'return ctx.input' }
const PAID = [{ name: 'paid', data: 1 }] as const

export const VALUES: Readonly<Record<string, Program>> = {
  'values that JSON changes': program(`return [
    await ctx.step('undefined', () => undefined), await ctx.step('date', () => new Date(0)),
    await ctx.step('map', () => new Map([[1, 2]])), await ctx.step('nan', () => NaN),
    await ctx.step('nested', () => ({ a: undefined, b: () => 1, c: [undefined] }))]`),
  'results of steps that JSON refuses': program(`const circle = {}; circle.self = circle
    return [await kept(() => ctx.step('bigint', () => 1n)), await kept(() => ctx.step('circle', () => circle)),
      await kept(() => ctx.step('function', () => () => 1)), await kept(() => ctx.step('symbol', () => Symbol('s')))
    ].map(({ name }) => name)`),
  'a result with a BigInt': program('return { n: 1n }'),
  'a circular result': program('const circle = {}; circle.self = circle; return circle'),
  'a function as result': program('return () => 1'),
  'a result above the limit': program(`return 'x'.repeat(4_194_400)`),
  'a thrown text': program(`throw 'text'`),
  'a thrown null': program('throw null'),
  'a thrown object': program('throw { a: 1 }'),
  'a thrown undefined in a step': program(
    `return await kept(() => ctx.step('a', () => { throw undefined }))`,
  ),
  'arguments that are refused': program(`return [
    await kept(() => ctx.step('a', () => 1)), await kept(() => ctx.step('a', () => 1)),
    await kept(() => ctx.sleep('a', { seconds: 0 })), await kept(() => ctx.step('', () => 1)),
    await kept(() => ctx.step('x')), await kept(() => ctx.step('outer', () => ctx.step('inner', () => 1))),
    await kept(() => ctx.step('options', () => 1, { tries: 1 })), await kept(() => ctx.waitForEvent('w', {})),
    await kept(() => ctx.sleep('z', {}))]`),
  'state that is changed after it was read': program(`const value = { a: [1] }
    await ctx.state.set('k', value); value.a.push(2); (await ctx.state.get('k')).a.push(3)
    await ctx.state.set('d', new Date(0)); await ctx.state.set('\uD83D\uDE00', 1); await ctx.state.set('\uFFFD', 2)
    await ctx.state.delete('d')
    return [await ctx.state.get('k'), await ctx.state.get('d'), await ctx.state.list()]`),
  'state that is refused': program(`return [
    await kept(() => ctx.state.set('', 1)), await kept(() => ctx.state.set('u', undefined)),
    await kept(() => ctx.state.update('k', 5)), await kept(() => ctx.state.update('k', () => undefined)),
    await kept(() => ctx.state.get(5)), await kept(() => ctx.state.list(5)),
    await kept(() => ctx.state.set('big', 'x'.repeat(300_000)))]`),
  'a frozen context': program(`'use strict'
    return [await kept(() => { ctx.variables.x = 1 }), await kept(() => ctx.progress(2)),
      await kept(() => ctx.progress(0.5, 7)), ctx.trigger, Object.isFrozen(ctx.job), ctx.flow, Object.keys(ctx).sort()]`),
  'drawn values': program(`const drawn = [ctx.now(), ctx.random(), ctx.uuid()]
    const first = await ctx.step('keep', () => drawn); await ctx.sleep('s', { days: 1 })
    return JSON.stringify(first) === JSON.stringify(drawn)`),
}

export const FAILURES: Readonly<Record<string, Program>> = {
  'a caught failure before a sleep':
    program(`const a = await kept(() => ctx.step('a', () => { throw 'text' }))
    await ctx.sleep('s', { days: 1 }); return a`),
  'a step after a caught failure':
    program(`const error = Object.assign(new RangeError('r'), { code: 'C' })
    return [await kept(() => ctx.step('a', () => { throw error })), await ctx.step('b', () => 2)]`),
  'a failure beside a sleep': program(
    `return await Promise.all([ctx.step('a', async () => { throw new Error('a') }), ctx.sleep('s', { days: 1 })])`,
  ),
  'a step that succeeds at its third try': program(`return await ctx.step('a', async () => {
    const n = await ctx.state.update('n', (n) => (n ?? 0) + 1); if (n < 3) throw new Error('e' + n); return n
  }, { retry: { maxAttempts: 3, delayMs: 10_000 } })`),
  'a step that fails at every try': program(
    `return await kept(() => ctx.step('a', async () => { throw new Error('e') }, { retry: { maxAttempts: 2, delayMs: 10_000 } }))`,
  ),
  'an error that is not retried':
    program(`const error = await kept(() => ctx.step('a', async () => {
      await ctx.state.update('n', (n) => (n ?? 0) + 1); throw new TypeError('e')
    }, { retry: { maxAttempts: 3, delayMs: 0, notOn: ['TypeError'] } }))
    return [error, await ctx.state.get('n')]`),
  'a final error': program(
    `await ctx.step('a', () => { throw Object.assign(new Error('no'), { name: 'NonRetryableError' }) }, { retry: { maxAttempts: 5, delayMs: 0 } })`,
  ),
  'a called action that fails': program(`return await kept(() => ctx.call('c', 'bad', {}))`, {
    others: { bad: `throw Object.assign(new TypeError('no'), { code: 'X' })` },
  }),
  'a called action that throws a text': program(`return await ctx.call('c', 'bad', {})`, {
    others: { bad: `throw 'text'` },
  }),
  'two called actions of which one fails': program(
    `return await Promise.allSettled([ctx.call('a', 'bad'), ctx.call('b', 'good', { n: 1 })]).then((all) => all.map(({ status }) => status))`,
    { others: { bad: `throw new Error('no')`, ...GOOD } },
  ),
  'results of called actions': program(
    `return [await ctx.call('a', 'date'), await ctx.call('b', 'nothing'), await ctx.call('c', 'good', { at: new Date(0) })]`,
    { others: { date: 'return { at: new Date(0), m: new Map() }', nothing: '', ...GOOD } },
  ),
  'a called flow that fails': program(
    `const error = await ctx.callFlow('c', 'month').then(() => null, (thrown) => thrown)
    return [error.name, error.message, error.flow, error.action ?? null]`,
    { others: { bad: `throw new RangeError('no')` }, flows: { month: 'bad' } },
  ),
  'results of called flows': program(
    `return [await ctx.callFlow('a', 'month', { n: 1 }), await kept(() => ctx.callFlow('a', 'month')),
      ...await Promise.all([ctx.callFlow('b', 'month', { n: 2 }), ctx.call('c', 'good', { n: 3 })])]`,
    { others: GOOD, flows: { month: 'good' } },
  ),
  'calls of flows that are refused': program(
    `return [await kept(() => ctx.callFlow('a', 'month', 5)), await kept(() => ctx.callFlow('b', 'not a key')),
      await kept(() => ctx.callFlow('c', 'month', {}, { idempotencyKey: 'k' })),
      await kept(() => ctx.callFlow('d', 'month', {}, { cancelWithJob: true })),
      (await kept(() => ctx.callFlow('e', 'unknown'))).code, (await kept(() => ctx.callFlow('f', 'good'))).code]`,
    { others: GOOD, flows: { month: 'good' } },
  ),
  'inputs of called actions that are refused': program(
    `return [await kept(() => ctx.call('a', 'good', 5)), await kept(() => ctx.call('b', 'good', [])),
      await kept(() => ctx.call('c', 7)), await kept(() => ctx.call('d', 'good', { a: 1n })),
      await kept(() => ctx.call('e', 'good', () => 1)), await kept(() => ctx.call('f', 'good', null)),
      (await kept(() => ctx.call('g', 'unknown'))).code]`,
    { others: GOOD },
  ),
}

/** `svc dev run` runs an action once, so these compare the other two runners. */
export const ATTEMPTS: Readonly<Record<string, Program>> = {
  'an invalid result that is retried': program(
    `return (await ctx.state.update('n', (n) => (n ?? 0) + 1)) === 2 ? ctx.job.attempt : 1n`,
    { maxAttempts: 3 },
  ),
  'values drawn for work that an attempt started': program(
    `const [order, share, key] = [ctx.uuid(), ctx.random(), ctx.uuid()]
    await ctx.run('good', { order }); const at = ctx.now(); await ctx.sendEvent('order', { key, data: at })
    const drawn = JSON.stringify([order, share, key, at])
    if (ctx.job.attempt === 1) await ctx.state.set('drawn', drawn)
    if (ctx.job.attempt === 1 || drawn !== await ctx.state.get('drawn')) throw new Error('drawn anew')
    return ctx.job.attempt`,
    { maxAttempts: 2, others: GOOD },
  ),
  'a step that fails in two attempts': program(
    `const n = await ctx.step('n', () => ctx.state.update('n', (n) => (n ?? 0) + 1)); await ctx.sleep('s', { days: 1 })
    await ctx.step('bad', async () => { if ((await ctx.state.update('m', (n) => (n ?? 0) + 1)) < 3) throw new Error('m') })
    return [n, ctx.job.attempt, await ctx.state.get('m')]`,
    { maxAttempts: 3 },
  ),
  'a called action that fails in the first attempt': program(
    `return await ctx.call('c', 'late', { attempt: ctx.job.attempt })`,
    {
      maxAttempts: 2,
      others: { late: `if (ctx.input.attempt < 2) throw new Error('e'); return 'late'` },
    },
  ),
  'the tries of a step in each attempt': program(
    `return [await ctx.step('a', async () => {
      const n = await ctx.state.update('n', (n) => (n ?? 0) + 1); if (n < 4) throw new Error('a' + n); return n
    }, { retry: { maxAttempts: 2, delayMs: 60_000 } }), ctx.job.attempt]`,
    { maxAttempts: 3 },
  ),
  'a failure of an earlier attempt behind a delay of this one': program(
    `const act = async (name, good, options) => {
      const run = async () => { const n = await ctx.state.update(name, (n) => (n ?? 0) + 1); if (n < good) throw new Error(name); return n }
      return await kept(() => ctx.step(name, run, options))
    }
    const all = [await act('a', 4, { retry: { maxAttempts: 2, delayMs: 60_000 } }), await act('b', 2, {})]
    if (all.some(({ name }) => name !== undefined)) throw new Error('failed')
    return [all, ctx.job.attempt]`,
    { maxAttempts: 3 },
  ),
}

export const WAITS: Readonly<Record<string, Program>> = {
  'a sleep of no time and a timeout of none': program(
    `await ctx.sleep('z', { seconds: 0 }); return await ctx.waitForEvent('w', { name: 'paid', timeoutS: 0 })`,
  ),
  'a timer beside a sleep': program(`const runs = []
    const [, b] = await Promise.all([ctx.sleep('s', { days: 1 }).then(() => ctx.step('after', () => 1)),
      new Promise((go) => setTimeout(go, 50)).then(() => ctx.step('b', () => ctx.state.update('n', (n) => (n ?? 0) + 1)))])
    return [b, await ctx.state.get('n')]`),
  'two waits for one event': program(
    `return (await Promise.all([ctx.waitForEvent('a', { name: 'paid' }), ctx.waitForEvent('b', { name: 'paid', timeoutS: 60 })])).map((event) => event?.data ?? null)`,
    { events: PAID },
  ),
  'two waits in turn for one event': program(
    `return [await ctx.waitForEvent('a', { name: 'paid' }), await ctx.waitForEvent('b', { name: 'paid', timeoutS: 60 })].map((event) => event?.data ?? null)`,
    { events: PAID },
  ),
  'the first of two events': program(
    `const wait = (name) => ctx.waitForEvent(name, { name }).then(() => name); return await Promise.race([wait('late'), wait('paid')])`,
    { events: PAID },
  ),
  'the first of an event and a sleep': program(
    `return await Promise.race([ctx.waitForEvent('a', { name: 'late' }).then(() => 'event'), ctx.sleep('s', { hours: 1 }).then(() => 'sleep')])`,
  ),
  'an event that comes before the wait': program(
    `await ctx.sleep('s', { minutes: 1 }); return (await ctx.waitForEvent('a', { name: 'paid', timeoutS: 60 }))?.data ?? null`,
    { events: PAID },
  ),
  'an event with another key': program(
    `return (await ctx.waitForEvent('a', { name: 'paid', match: 'k', timeoutS: 60 }))?.data ?? null`,
    {
      events: [
        { name: 'paid', key: 'other', data: 1 },
        { name: 'paid', data: 2 },
      ],
    },
  ),
  'an event that the job sends itself': program(
    `const { eventId } = await ctx.sendEvent('paid', { key: 'k', data: { n: 1 } })
    const sent = await ctx.step('id', () => eventId)
    const event = await ctx.waitForEvent('w', { name: 'paid', match: 'k', timeoutS: 60 })
    return [event?.id === sent, sent === eventId, Object.keys(event ?? {}), event?.data]`,
  ),
  'a job that is started before a sleep': program(
    `const { jobId } = await ctx.run('good'); const first = await ctx.step('first', () => jobId)
    await ctx.sleep('s', { days: 1 }); const other = await ctx.step('x', () => ctx.run('good')); await ctx.sleep('t', { days: 1 })
    return [first === jobId, other.jobId === jobId]`,
    { others: GOOD },
  ),
  'a key that has started another target': program(
    `await ctx.run('good', {}, { idempotencyKey: 'k' }); await ctx.run('good', {}, { idempotencyKey: 'k' })
    return await kept(() => ctx.run('better', {}, { idempotencyKey: 'k' }))`,
    { others: { ...GOOD, better: 'return 1' } },
  ),
  'starts that are refused': program(`return [
    await kept(() => ctx.run(7)), await kept(() => ctx.run('good', { a: 1n })), await kept(() => ctx.run('good', () => 1)),
    await kept(() => ctx.sendEvent('')), await kept(() => ctx.sendEvent('paid', 5))]`),
  'options that are refused': program(
    `const run = (options) => kept(() => ctx.run('good', {}, options))
    const send = (name, options) => kept(() => ctx.sendEvent(name, options))
    return [await run({ priority: 1_000 }), await run({ delayS: -1 }), await run({ tag: 'a b' }), await run({ scheduledFor: 'x' }),
      await run({ nope: 1 }), await run({ idempotencyKey: '' }), await run({ delayS: 1, scheduledFor: new Date() }), await run(null),
      await kept(() => ctx.call('c', 'good', {}, { idempotencyKey: 'k' })), await kept(() => ctx.call('d', 'good', {}, { priority: 1_000 })),
      await kept(() => ctx.startFlow('flow', {}, { nope: 1 })), await kept(() => ctx.approval.getResumeUrls()),
      await send('Bad Name'), await send('paid', { key: 5 }), await send('paid', { id: '' }), await send('paid', { nope: 1 })]`,
    { others: GOOD },
  ),
}
