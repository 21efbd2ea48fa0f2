/** What jobs, steps and runs fail with: each sentence of svc once, with its name. Most are made by the server's own functions. */
import { stateFull } from '#core/app-state.ts'
import { evaluateCondition } from '#core/flow/condition/evaluate.ts'
import { inputTooLarge, tooLarge } from '#core/flow/data-size.ts'
import { approval } from '#core/flow/kinds/approval.ts'
import { event } from '#core/flow/kinds/event.ts'
import { forloop } from '#core/flow/kinds/forloop.ts'
import { sleep } from '#core/flow/kinds/sleep.ts'
import { resolveTemplate } from '#core/flow/template.ts'
import { nextChainDepth, tooManyStarts } from '#core/job/start-call.ts'
import { NOT_GRANTED, notGranted } from '#core/network/egress-grant.ts'
import { toResult } from '#sandbox/guest/result.ts'
import { createStepNames, stepMismatch } from '#sandbox/guest/step-names.ts'
import {
  crashed,
  exceeded,
  forged,
  notStarted,
  resultTooLarge,
  timedOut,
  tooManyRequests,
  tooMuchTraffic,
  unresponsive,
} from '#sandbox/host/failures.ts'
import type { SandboxOutcome } from '#sandbox/sandbox.ts'
import { planningFailed } from '#service/flows/planning-fault.ts'
import { faultOfResult } from '#service/queue/result-too-large.ts'
import { ValueTooLarge } from '#store/value-size.ts'

type Failure = Readonly<{ name: string; message: string }>

const thrown = (name: string, act: () => unknown): Failure => {
  try {
    act()
  } catch (error) {
    if (error instanceof Error) return { name, message: error.message }
  }
  throw new Error(`Nothing failed with ${name}.`)
}

const LIMITS = {
  ...{ timeoutMs: 1_500, memoryMb: 256, resultBytes: 4_194_304, logBytes: 1 },
  network: null,
}
const EXIT = { code: 3, signal: null, startError: null, outputTail: '', isOutOfMemory: false }

const errorOf = (outcome: SandboxOutcome): Failure => {
  if (outcome.kind !== 'failure') throw new Error(`No failure: ${outcome.kind}.`)
  return outcome.error
}

const ofSandbox = (): readonly Failure[] =>
  [
    ...(['memory', 'disk', 'processor'] as const).map((what) => exceeded(what, LIMITS)),
    timedOut(LIMITS),
    resultTooLarge(LIMITS),
    tooMuchTraffic,
    tooManyRequests,
    forged,
    unresponsive,
    notStarted(new Error('EAGAIN')),
    crashed(EXIT, LIMITS),
    crashed({ ...EXIT, code: null, signal: 'SIGSEGV' }, LIMITS),
  ].map(errorOf)

const circle: { self?: unknown } = {}
circle.self = circle

const ofResults = (): readonly Failure[] => [
  ...[circle, () => 1, 'long'.repeat(9)].flatMap((value) => {
    const result = toResult(value, 9)
    return 'failure' in result ? [result.failure] : []
  }),
]

const reference = (name: string): string => `\${${name}}`
const DATA = {
  input: { list: [1], 'a b': 'text', none: null },
  results: new Map([['skipped', null]]),
}

const ofReferences = (): readonly Failure[] =>
  ['results.gone', 'results.skipped.x', 'input.list', 'item', 'other.a', '1'].flatMap((name) => {
    const { error } = resolveTemplate(`a ${reference(name)}`, DATA)
    return error === null ? [] : [error]
  })

export const BAD_CONDITIONS = [
  ...['1 < 2 < 3', '!'.repeat(40), '(1', '1 ==', '== 1', '1 2', '@', reference('input.list')],
  ...['1 < "a"', 'input.list < input', 'input.none < true', `"${'long'.repeat(600)}"`],
]

const ofConditions = (): readonly Failure[] => [
  ...BAD_CONDITIONS.flatMap((text) => evaluateCondition(text, DATA).error ?? []),
  ...[Array.from({ length: 2_000 }, () => 1)].flatMap((list) => {
    const data = { input: { a: list, b: [...list] }, results: new Map() }
    return evaluateCondition('input.a == input.b', data).error ?? []
  }),
]

const ofSizes = (): readonly Failure[] => {
  const stored = faultOfResult({ backend: 'remote' }, 'x'.repeat(6_000_000))
  const planned = [
    'A reason.',
    stored?.message.replace(/^The result is too large\. /, '') ?? '',
  ].map((message, at) =>
    planningFailed(at === 0 ? new Error('EREASON') : new ValueTooLarge(message)),
  )
  return [
    ...(stored === null ? [] : [stored]),
    ...planned.flatMap((event) => (event.kind === 'planning_failed' ? [event.error] : [])),
    inputTooLarge('greet'),
    ...[
      'All inputs of step "greet" together',
      'All results of step "greet" together',
      'The results of all steps of this run together',
      'A text of an input',
    ].map((what) => tooLarge(what, 4 * 1_024 * 1_024)),
  ]
}

const names = (outer?: string) =>
  createStepNames({ nameAt: () => undefined } as never, {
    outer: () => outer,
    warn: () => undefined,
  })

const ofSteps = (): readonly Failure[] => [
  thrown('StepMismatch', () => {
    throw stepMismatch('greet', 'step', 'event')
  }),
  thrown('NestedStep', () => names('greet').meet('gone')),
  thrown('DuplicateStep', () => {
    const met = names()
    met.meet('greet')
    met.meet('greet')
  }),
  thrown('TooManySteps', () => {
    const met = names()
    for (let at = 0; at < 1e6; at += 1) met.meet(`s${at}`)
  }),
  thrown('ChainTooDeep', () => nextChainDepth(1e9)),
  { name: 'TooManyStarts', message: tooManyStarts().message },
  { name: 'StateFull', message: stateFull().message },
]

const STEP = { key: 'greet' }
const STEP_DATA = { ...DATA, previous: null }

const ofKinds = (): readonly Failure[] => {
  const until = reference('input.none')
  const openings = [
    ...['gone', '', 'x'.repeat(999)].map((text, at) =>
      event.open(
        { ...STEP, name: 'paid', match: at === 0 ? reference('input.list') : text },
        STEP_DATA,
      ),
    ),
    sleep.open({ ...STEP, until }, STEP_DATA),
    ...[null, Array.from({ length: 20_000 }, () => 1)].map((items) =>
      forloop.open(
        { ...STEP, items: reference('input'), action: 'greet' },
        { ...STEP_DATA, input: items },
      ),
    ),
  ]
  const rejected = { kind: 'rejected', by: 'a@b.c' } as const
  const ends = [
    ...[null, '늦음'].map((reason) => approval.resume?.(STEP, { ...rejected, reason })),
    approval.resume?.(STEP, { kind: 'wait_timed_out' }),
    event.resume?.({ ...STEP, name: 'paid' }, { kind: 'wait_timed_out' }),
  ]
  return [
    ...openings.flatMap((opening) => (opening.kind === 'fail' ? [opening.error] : [])),
    ...ends.flatMap((end) => (end != null && 'error' in end ? [end.error] : [])),
    {
      name: NOT_GRANTED,
      message: `svc does not let this job reach 10.0.0.1:5432: ${notGranted('10.0.0.1:5432')}.`,
    },
  ]
}

/** Those that only a process of a job or a whole run makes. test/korean-errors.test.ts looks for them in the source. */
export const WRITTEN_FAILURES: readonly Failure[] = [
  ...[
    'The worker that ran this job stopped answering, as often as the limit allows.',
    'The worker that ran this attempt stopped answering.',
  ].map((message) => ({ name: 'WorkerLost', message })),
  { name: 'InvalidResult', message: 'A step must return what JSON can hold: ENOTJSON' },
  {
    name: 'InvalidResult',
    message: 'A step must return what JSON can hold, not a value of type symbol.',
  },
  { name: 'InvalidResult', message: 'The result nests deeper than 5 levels.' },
  {
    name: 'InvalidAction',
    message:
      'greet.ts exports no function named main. Write `export async function main(ctx) { … }`.',
  },
  {
    name: 'StepResultTooLarge',
    message:
      'The result of a step holds at most 4 MiB as JSON. Return less, or store it and return where it is.',
  },
  {
    name: 'TooManyDraws',
    message: 'A job calls ctx.now(), ctx.random() and ctx.uuid() at most 5 times outside of steps.',
  },
  {
    name: 'StateTooLarge',
    message:
      'A state value holds at most 256 KiB as JSON. Keep less, or split it over several keys.',
  },
  { name: 'StateConflict', message: '"greet" was changed by others at each of 5 tries.' },
  { name: 'Canceled', message: 'The job was canceled.' },
  { name: 'Canceled', message: 'The job ended before this step did.' },
]

/** Those that the server's functions make. */
export const madeFailures = (): readonly Failure[] => [
  ...ofSandbox(),
  ...ofResults(),
  ...ofReferences(),
  ...ofConditions(),
  ...ofSizes(),
  ...ofSteps(),
  ...ofKinds(),
]
