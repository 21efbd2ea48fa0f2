/** The app of a chaos run: actions that report to the witness, a flow with an approval, a function. */

/** `walled` runs in the strongest sandbox of the machine, in which it cannot reach the witness. */
export const ACTIONS = ['quick', 'slow', 'flaky', 'stumble', 'keyed', 'walled'] as const
export const LIMIT_OF_KEY = 2
/** Runs of the flow that may be under way at once. */
export const LIMIT_OF_FLOW = 5
/** Approvals that the step `sign` needs. */
export const NEEDED_APPROVALS = 2
/** Index in the flow: prepare, four items, sign, finish. */
export const SIGN_INDEX = 2
/** Maximum number of failing first attempts of `stumble`. */
export const MAX_FAILURES = 2
/** Gives the nemesis enough time to stop the worker of a first attempt while it writes the failure. Milliseconds. */
const MIN_FIRST_MS = 350

const MANIFEST = `key: chaos
name: Chaos
actions:
  - { key: quick, entrypoint: quick.ts, timeoutS: 60 }
  - { key: slow, entrypoint: slow.ts, timeoutS: 60 }
  - key: flaky
    entrypoint: flaky.ts
    timeoutS: 60
    retry: { maxAttempts: 4, delayMs: 50, backoffFactor: 2 }
  - key: stumble
    entrypoint: stumble.ts
    timeoutS: 60
    retry: { maxAttempts: 10, delayMs: 50, backoffFactor: 1 }
  - key: keyed
    entrypoint: slow.ts
    timeoutS: 60
    concurrency: { limit: ${LIMIT_OF_KEY}, key: "\${input.key}" }
  - { key: walled, entrypoint: walled.ts, tag: walled, timeoutS: 60 }
  - { key: step, entrypoint: slow.ts, timeoutS: 60 }
  - key: durable
    entrypoint: durable.ts
    timeoutS: 60
    retry: { maxAttempts: 10, delayMs: 50, backoffFactor: 1 }
flows:
  - key: signed
    concurrency: { limit: ${LIMIT_OF_FLOW} }
    steps:
      - { key: prepare, action: step, input: { id: "\${input.id}", ms: 20, label: prepare }, retry: { maxAttempts: 10, delayMs: 50, backoffFactor: 1 } }
      - { key: each, kind: forloop_parallel, action: step, items: [1, 2, 3, 4], input: { id: "\${input.id}", ms: 60, label: each }, retry: { maxAttempts: 10, delayMs: 50, backoffFactor: 1 } }
      - { key: sign, kind: approval, approval: { requiredEvents: ${NEEDED_APPROVALS}, resumeForm: [{ key: note, label: Note, type: text }] } }
      - { key: finish, action: step, input: { id: "\${input.id}", ms: 20, label: finish }, retry: { maxAttempts: 10, delayMs: 50, backoffFactor: 1 } }
  - key: called
    steps:
      - { key: only, action: step, input: { id: "\${input.id}", ms: 20, label: called }, retry: { maxAttempts: 10, delayMs: 50, backoffFactor: 1 } }
`

/** The parts of `durable` that the witness sees, in order. `mark` shows that it is about to wait for its event. */
export const DURABLE_STEPS = ['one', 'two', 'mark', 'three'] as const
export type DurableStep = (typeof DURABLE_STEPS)[number]
export const EVENT_NAME = 'chaos.answer'
export const keyOfEvent = (number: number): string => `d${number}`
/** Numbers of the jobs that durable ones call, distinct from all others. */
export const FIRST_CALLED_NUMBER = 4_000_000
/** Numbers of the flow runs that durable jobs call. */
export const FIRST_FLOWED_NUMBER = 6_000_000

const witnessed = (port: number, ws: string): string => `import { connect } from 'node:net'
import { pid } from 'node:process'

/**
 * Does the work while the witness looks on: it knows of the beginning before the work begins, and of the end after it.
 * failsInMs: until the work throws; null if it does not. step: of a durable job.
 */
export const witnessed = (ctx, label, work, { failsInMs = null, step = null } = {}) =>
  new Promise((resolve, reject) => {
    const socket = connect(${port}, '127.0.0.1')
    const { id: job, attempt } = ctx.job
    const facts = { ws: '${ws}', job, attempt, number: ctx.input.id, label, pid, failsInMs, step }
    let outcome = null
    socket.on('error', reject)
    socket.on('data', () => {
      if (outcome !== null) {
        socket.end()
        resolve(outcome.value)
        return
      }
      Promise.resolve().then(work).then(
        (value) => {
          outcome = { value }
          socket.write('end\\n')
        },
        (error) => {
          socket.destroy()
          reject(error)
        },
      )
    })
    socket.write(JSON.stringify(facts) + '\\n')
  })

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
export const resultOf = (ctx) => ({ id: ctx.input.id, attempt: ctx.job.attempt })
`

const IMPORT = "import { pause, resultOf, witnessed } from './witnessed.ts'\n"

/** @param port of the witness @param ws the workspace that calls to the witness name */
export const appFiles = (port: number, ws: string): Readonly<Record<string, string>> => ({
  'app.yaml': MANIFEST,
  'witnessed.ts': witnessed(port, ws),
  'quick.ts': `${IMPORT}export const main = (ctx) => witnessed(ctx, 'quick', () => resultOf(ctx))\n`,
  'slow.ts': `${IMPORT}export const main = (ctx) =>
  witnessed(ctx, ctx.input.label ?? 'slow', async () => {
    await pause(ctx.input.ms)
    return resultOf(ctx)
  })
`,
  'flaky.ts': `${IMPORT}export const main = (ctx) =>
  witnessed(ctx, 'flaky', () => {
    if (ctx.input.fails) throw new Error('always')
    return resultOf(ctx)
  })
`,
  'stumble.ts': `${IMPORT}export const main = (ctx) => {
  const { failures, ms } = ctx.input
  // the first attempt is short, so that the second one often runs when a late write of the first arrives
  const length = ctx.job.attempt === 1 ? Math.max(ms / 10, ${MIN_FIRST_MS}) : ms
  const fails = ctx.job.attempt <= failures
  const work = async () => {
    await pause(length)
    if (fails) throw new Error('stumbled')
    return resultOf(ctx)
  }
  return witnessed(ctx, 'stumble', work, { failsInMs: fails ? length : null })
}
`,
  'durable.ts': `${IMPORT}const witnessedStep = (ctx, step, ms = 0) => {
  const { attempt } = ctx.job
  const work = async () => {
    // a later attempt takes longer, so that it often runs when a late record of the one before arrives
    await pause(attempt === 1 ? ms : ms * 5)
    return { step, attempt }
  }
  return witnessed(ctx, 'durable', work, { step })
}

export const main = async (ctx) => {
  const { id, napMs, stepMs, lingerMs = 0, timeoutS, stumbles } = ctx.input
  const one = await ctx.step('one', () => witnessedStep(ctx, 'one', stepMs))
  if (stumbles && ctx.job.attempt === 1) throw new Error('stumbled')
  await ctx.sleep('nap', { seconds: napMs / 1000 })
  const two = await ctx.step('two', () => witnessedStep(ctx, 'two', stepMs))
  await witnessedStep(ctx, 'mark')
  const wait = ctx.waitForEvent('answer', { name: '${EVENT_NAME}', match: 'd' + id, timeoutS })
  // the wait is open and the job not suspended yet
  const [answer] = await Promise.all([wait, pause(lingerMs)])
  // a guest that is killed fails the job that it runs
  const called = await ctx.call('called', 'quick', { id: ${FIRST_CALLED_NUMBER} + id }).then(({ id }) => id, () => null)
  const flowed = await ctx.callFlow('flowed', 'called', { id: ${FIRST_FLOWED_NUMBER} + id }).then(({ id }) => id)
  const three = await ctx.step('three', () => witnessedStep(ctx, 'three', stepMs))
  return { ...resultOf(ctx), heard: answer === null ? null : answer.data, called, flowed, steps: [one, two, three] }
}
`,
  'walled.ts': `export const main = async (ctx) => {
  await new Promise((resolve) => setTimeout(resolve, ctx.input.ms))
  return { id: ctx.input.id, attempt: ctx.job.attempt }
}
`,
})

/** A function that stores what a caller sends. The state of the app must contain it once the function has responded. */
export const FUNCTION_FILES: Readonly<Record<string, string>> = {
  'functions/keep/index.ts': `export default async (ctx) => {
  await ctx.state.set('kept-' + ctx.query.n, Number(ctx.query.n))
  return { kept: Number(ctx.query.n) }
}
`,
}
