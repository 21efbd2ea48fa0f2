/**
 * Runs random durable programs, crashed and suspended at every point, and
 * compares them with a plain interpreter of the same programs.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { format } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { HistoryEntry, RecordedStep } from '#core/durable/step.ts'
import { createActivity } from './activity.ts'
import { createDurable, type DurableCalls } from './durable.ts'
import { describeThrown } from './failure.ts'
import type { DurableHost, StepScope } from './step-records.ts'

type Item =
  | Readonly<{ kind: 'step' | 'flaky' | 'bad' | 'sleep' | 'event' | 'call' | 'badCall' | 'draw' }>
  | Readonly<{ kind: 'all'; branches: readonly (readonly Item[])[] }>

type Program = readonly Item[]
/** A step that returns, one that fails at its first try, and one that always fails. */
type StepItem = 'step' | 'flaky' | 'bad'

/** Each item adds a line with the value that it got or the error that it caught. */
type Actor = Readonly<{
  step: (name: string, kind: StepItem) => Promise<unknown>
  sleep: (name: string) => Promise<unknown>
  event: (name: string) => Promise<unknown>
  call: (name: string) => Promise<unknown>
  draw: (name: string) => unknown
}>

const outcome = async (act: () => unknown): Promise<string> => {
  try {
    return `got ${JSON.stringify(await act())}`
  } catch (error) {
    return `caught ${error instanceof Error ? `${error.name} ${error.message}` : 'nothing'}`
  }
}

const interpret = async (program: Program, actor: Actor, path: string): Promise<string[]> => {
  const lines: string[] = []
  for (const [at, item] of program.entries()) {
    const name = `${path}${at}`
    if (item.kind === 'all') {
      const all = item.branches.map((branch, nth) => interpret(branch, actor, `${name}.${nth}.`))
      lines.push(...(await Promise.all(all)).flat())
    } else lines.push(await outcome(() => perform(item.kind, name, actor)))
  }
  return lines
}

const perform = (kind: Exclude<Item['kind'], 'all'>, name: string, actor: Actor): unknown => {
  switch (kind) {
    case 'step':
    case 'flaky':
    case 'bad':
      return actor.step(name, kind)
    case 'sleep':
      return actor.sleep(name)
    case 'event':
      return actor.event(name)
    case 'call':
    case 'badCall':
      return actor.call(name)
    case 'draw':
      return actor.draw(name)
  }
}

const REFUSED = { name: 'CallFailed', message: 'no' }
const isBadCall = new Set<string>()

const plain: Actor = {
  step: async (name, kind) => {
    if (kind === 'bad') throw Object.assign(new Error(name), { name: 'Bad' })
    return name
  },
  sleep: async () => undefined,
  event: async (name) => ({ event: name }),
  call: async (name) => ({ child: name }),
  draw: () => 'drawn',
}

const FAR_MS = 1_000_000_000

/** The store of the host, which also records what happened outside and what went wrong. */
const createWorld = () => {
  const steps = new Map<string, RecordedStep>()
  const history: HistoryEntry[] = []
  const violations: string[] = []
  const records: string[] = []
  /** The places where each value was drawn. */
  const drawn = new Map<string, Set<string>>()
  /** The values that the branch of a step had drawn last, whenever its function ran. */
  const used = new Map<string, Set<string>>()
  const keep = (step: RecordedStep): void => {
    const before = steps.get(step.name)
    if (before?.status === 'success') violations.push(`${step.name} was recorded twice`)
    records.push(step.name)
    steps.set(step.name, step)
  }
  return { steps, history, violations, records, drawn, used, keep }
}
type World = ReturnType<typeof createWorld>

type CrashPoint = Readonly<{ call: number; isAfter: boolean }>

/** Counts the calls of one attempt and loses the worker at one of them. */
const createHost = (world: World, crash: CrashPoint | null, onCrash: () => void): DurableHost => {
  let calls = 0
  let isDead = false
  const write = async <T>(act: () => T): Promise<T> => {
    calls += 1
    const isHere = crash !== null && calls === crash.call
    const die = (): void => {
      isDead = true
      onCrash()
    }
    if (isHere && !crash.isAfter) die()
    if (isDead) return await new Promise(() => undefined)
    const value = act()
    await new Promise((go) => setImmediate(go))
    if (isHere) die()
    return isDead ? await new Promise(() => undefined) : value
  }
  return {
    page: () => Promise.reject(new Error('The journal is complete.')),
    recordHistory: (history) => write(() => void world.history.push(...history)),
    record: ({ name, position, tries, status, valueJson, error, history }) =>
      write(() => {
        world.history.push(...history)
        world.keep({
          name,
          position,
          tries,
          status,
          kind: 'step',
          isCaught: status === 'failure',
          dueInMs: status === 'running' ? FAR_MS : null,
          value: valueJson === undefined ? null : JSON.parse(valueJson),
          error: error ?? null,
        })
      }),
    begin: ({ name, position, kind, history }) =>
      write(() => {
        world.history.push(...history)
        const step = { name, position, kind, tries: 1, status: 'running', isCaught: false } as const
        const begun: RecordedStep = { ...step, dueInMs: FAR_MS, value: null, error: null }
        world.keep(begun)
        return begun
      }),
  }
}

type End =
  | Readonly<{ kind: 'done'; lines: readonly string[] }>
  | Readonly<{ kind: 'suspended'; steps: readonly string[] }>
  | Readonly<{ kind: 'crashed' }>

const addTo = (sets: Map<string, Set<string>>, key: string, value: string): void =>
  void sets.set(key, (sets.get(key) ?? new Set()).add(value))

const branchOf = (name: string): string => name.slice(0, name.lastIndexOf('.') + 1)

const actorOf = (ctx: DurableCalls, world: World, isOver: () => boolean): Actor => {
  /** The last value that each branch drew in this attempt. */
  const last = new Map<string, string>()
  return {
    step: (name, kind) => {
      let tries = 0
      const act = async (): Promise<string> => {
        tries += 1
        const before = isOver() ? undefined : world.steps.get(name)
        if (before?.status === 'success') world.violations.push(`${name} ran after its success`)
        if (before?.isCaught === true) world.violations.push(`${name} ran after it was caught`)
        if (!isOver()) addTo(world.used, name, last.get(branchOf(name)) ?? '')
        await null
        if (kind === 'bad') throw Object.assign(new Error(name), { name: 'Bad' })
        if (kind === 'flaky' && tries === 1) throw new Error('The first try fails.')
        return name
      }
      return ctx.step(name, act, kind === 'flaky' ? { retry: { maxAttempts: 9, delayMs: 1 } } : {})
    },
    sleep: (name) => ctx.sleep(name, { days: 1 }),
    event: (name) => ctx.waitForEvent(name, { name: 'some.event' }),
    call: (name) => ctx.call(name, 'other'),
    draw: (name) => {
      const uuid = ctx.uuid()
      last.set(branchOf(name), uuid)
      addTo(world.drawn, uuid, name)
      return 'drawn'
    },
  }
}

const runAttempt = (program: Program, world: World, crash: CrashPoint | null): Promise<End> =>
  new Promise((resolve, reject) => {
    let isOver = false
    const storage = new AsyncLocalStorage<StepScope>()
    const { signal } = new AbortController()
    const durable = createDurable({
      cancelSignal: () => signal,
      journal: {
        steps: [...world.steps.values()].toSorted((a, b) => a.position - b.position),
        hasMore: false,
        history: [...world.history],
      },
      host: createHost(world, crash, () => {
        isOver = true
        resolve({ kind: 'crashed' })
      }),
      activity: createActivity(),
      scope: { get: () => storage.getStore(), run: (value, act) => storage.run(value, act) },
      describe: (thrown) => describeThrown(thrown, (values) => format(...values)),
      warn: (text) => world.violations.push(text),
      pause: async () => undefined,
      onSuspend: ({ steps, history }) => {
        if (isOver) return
        world.history.push(...history)
        for (const [name, step] of world.steps) {
          if (step.status === 'failure') world.steps.set(name, { ...step, isCaught: true })
        }
        resolve({ kind: 'suspended', steps })
      },
    })
    interpret(
      program,
      actorOf(durable.calls, world, () => isOver),
      '',
    ).then((lines) => {
      durable.close()
      resolve({ kind: 'done', lines })
    }, reject)
  })

/** Ends one of the waits of a suspended attempt. */
const wake = (world: World, names: readonly string[], pick: number): void => {
  const name = names[pick % names.length] ?? ''
  const step = world.steps.get(name)
  if (step === undefined || step.status !== 'running') {
    world.violations.push(`suspended for ${name}, which does not run`)
    return
  }
  const { kind } = step
  if (kind === 'sleep') world.steps.set(name, { ...step, dueInMs: 0 })
  else if (kind === 'job' && isBadCall.has(name)) {
    world.steps.set(name, { ...step, status: 'failure', dueInMs: null, error: REFUSED })
  } else {
    const value = kind === 'event' ? { event: name } : { child: name }
    world.steps.set(name, { ...step, status: 'success', dueInMs: null, value })
  }
}

const leaf = fc
  .constantFrom('step', 'flaky', 'bad', 'sleep', 'event', 'call', 'draw')
  .map((kind) => ({ kind }) as Item)
const { program } = fc.letrec<{ program: Program; item: Item }>((tie) => ({
  program: fc.array(tie('item'), { maxLength: 5 }),
  item: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    { arbitrary: leaf, weight: 4 },
    {
      arbitrary: fc
        .array(tie('program'), { minLength: 1, maxLength: 3 })
        .map((branches): Item => ({ kind: 'all', branches })),
      weight: 1,
    },
  ),
}))
const crashes = fc.array(
  fc.record({ call: fc.integer({ min: 1, max: 4 }), isAfter: fc.boolean() }),
  { maxLength: 6 },
)

/** A finished sleep competes with a recorded step whose call has not begun yet when the script continues. */
const LATE_CALL: Program = [
  {
    kind: 'all',
    branches: [
      [{ kind: 'sleep' }, { kind: 'all', branches: [[{ kind: 'draw' }]] }],
      [
        { kind: 'draw' },
        { kind: 'draw' },
        { kind: 'step' },
        { kind: 'all', branches: [[{ kind: 'draw' }], []] },
      ],
    ],
  },
]

test('a durable program ends as a plain one does, whatever crashes and in whatever order waits end', async () => {
  await fc.assert(
    fc.asyncProperty(
      program,
      crashes,
      fc.array(fc.nat(), { minLength: 1 }),
      async (code, lost, picks) => {
        const world = createWorld()
        const pending = [...lost]
        let end: End = { kind: 'crashed' }
        for (let attempts = 0; end.kind !== 'done'; attempts += 1) {
          expect(attempts).toBeLessThan(300)
          end = await runAttempt(code, world, pending.shift() ?? null)
          if (end.kind === 'suspended') wake(world, end.steps, picks[attempts % picks.length] ?? 0)
        }
        expect(world.violations).toEqual([])
        expect([...world.drawn.values()].filter((places) => places.size > 1)).toEqual([])
        expect([...world.used].filter(([, values]) => values.size > 1)).toEqual([])
        expect(end.lines).toEqual(await interpret(code, plain, ''))
      },
    ),
    { numRuns: 150, examples: [[LATE_CALL, [], [0]]] },
  )
})

test('an attempt that repeats recorded steps formats no stack, which takes longer than the steps', async () => {
  const world = createWorld()
  const code: Program = [{ kind: 'step' }, { kind: 'call' }, { kind: 'sleep' }, { kind: 'event' }]
  const own = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace')
  let formatted = 0
  Error.prepareStackTrace = ({ message }) => {
    if (message === 'step') formatted += 1
    return ''
  }
  try {
    for (let end = await runAttempt(code, world, null); end.kind === 'suspended'; ) {
      wake(world, end.steps, 0)
      end = await runAttempt(code, world, null)
    }
  } finally {
    if (own === undefined) Reflect.deleteProperty(Error, 'prepareStackTrace')
    else Object.defineProperty(Error, 'prepareStackTrace', own)
  }
  expect(world.records).toHaveLength(code.length)
  expect(formatted).toBe(0)
})
