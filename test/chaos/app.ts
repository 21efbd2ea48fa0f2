/** The app of a chaos run: actions that report to the witness, a flow with an approval, a function. */

/** `walled` runs in the strongest sandbox of the machine, which keeps it from the witness. */
export const ACTIONS = ['quick', 'slow', 'flaky', 'stumble', 'keyed', 'walled'] as const
export const LIMIT_OF_KEY = 2
/** Approvals that the step `sign` needs. */
export const NEEDED_APPROVALS = 2
/** Of the flow: prepare, four items, sign, finish. */
export const SIGN_INDEX = 2
/** Of `stumble`, which fails its first attempts. */
export const MAX_FAILURES = 2

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
flows:
  - key: signed
    steps:
      - { key: prepare, action: step, input: { id: "\${input.id}", ms: 20, label: prepare }, retry: { maxAttempts: 10, delayMs: 50, backoffFactor: 1 } }
      - { key: each, kind: forloop_parallel, action: step, items: [1, 2, 3, 4], input: { id: "\${input.id}", ms: 60, label: each }, retry: { maxAttempts: 10, delayMs: 50, backoffFactor: 1 } }
      - { key: sign, kind: approval, approval: { requiredEvents: ${NEEDED_APPROVALS}, resumeForm: [{ key: note, label: Note, type: text }] } }
      - { key: finish, action: step, input: { id: "\${input.id}", ms: 20, label: finish }, retry: { maxAttempts: 10, delayMs: 50, backoffFactor: 1 } }
`

const witnessed = (port: number): string => `import { connect } from 'node:net'
import { pid } from 'node:process'

/** Does the work while the witness looks on: it knows of the beginning before the work begins, and of the end after it. */
export const witnessed = (ctx, label, work) =>
  new Promise((resolve, reject) => {
    const socket = connect(${port}, '127.0.0.1')
    const facts = { job: ctx.job.id, attempt: ctx.job.attempt, number: ctx.input.id, label, pid }
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

/** @param port of the witness */
export const appFiles = (port: number): Readonly<Record<string, string>> => ({
  'app.yaml': MANIFEST,
  'witnessed.ts': witnessed(port),
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
  'stumble.ts': `${IMPORT}export const main = (ctx) =>
  witnessed(ctx, 'stumble', async () => {
    // the first attempt is short, so that the second one often runs when a late write of the first arrives
    await pause(ctx.job.attempt === 1 ? ctx.input.ms / 10 : ctx.input.ms)
    if (ctx.job.attempt <= ctx.input.failures) throw new Error('stumbled')
    return resultOf(ctx)
  })
`,
  'walled.ts': `export const main = async (ctx) => {
  await new Promise((resolve) => setTimeout(resolve, ctx.input.ms))
  return { id: ctx.input.id, attempt: ctx.job.attempt }
}
`,
})

/** Keeps what it is told; the state of the app must hold it once it has answered. */
export const FUNCTION_FILES: Readonly<Record<string, string>> = {
  'functions/keep/index.ts': `export default async (ctx) => {
  await ctx.state.set('kept-' + ctx.query.n, Number(ctx.query.n))
  return { kept: Number(ctx.query.n) }
}
`,
}
