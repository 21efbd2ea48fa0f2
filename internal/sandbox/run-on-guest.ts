/**
 * Runs one job on one guest process and settles how it ended, whatever the process does. Everything that comes from the
 * guest is checked: it may be the job's own forgery.
 */
import { Buffer } from 'node:buffer'
import { z } from 'zod'
import { isDeeperThan, MAX_JSON_DEPTH } from '#core/json-depth.ts'
import {
  crashed,
  deaf,
  exceeded,
  forged,
  invalidResult,
  processorLimitMs,
  resultTooLarge,
  timedOut,
  tooMuchTraffic,
} from './failures.ts'
import type { Frame } from './frame-parser.ts'
import type { GuestProcess } from './guest-process.ts'
import { createJobLog } from './job-log.ts'
import { codeLine, FRAME_KINDS, runLine } from './protocol.ts'
import type { SandboxCallbacks, SandboxLimits, SandboxOutcome, SandboxRun } from './provider.ts'
import { createQuestionDesk, isQuestion } from './question-desk.ts'
import type { StackTraceMapper } from './stack-trace.ts'
import type { UsageLimits, UsageWatch } from './usage-watch.ts'

export type GuestRun = Readonly<{
  guest: GuestProcess
  /** Which run of this process it is, from 1: frames of earlier runs are told by it. */
  number: number
  run: SandboxRun
  callbacks: SandboxCallbacks
  signal: AbortSignal
  usage: UsageWatch
  /** Null: this process has the code already. */
  code: string | null
  mapStackTrace: StackTraceMapper
}>

/** The process died or went deaf before it took the run: the job has not begun, and may be given to another. */
export type NotBegun = Readonly<{ kind: 'not-begun'; failure: SandboxOutcome }>

/** How long a process may take to start and to take its run. */
const BEGIN_MS = 5_000

const failureFrame = z.object({ name: z.string().max(200), message: z.string().max(100_000) })
const textFrame = z.string()

/** Room in a frame for anything but the result: a piece of log with every character escaped. */
const OTHER_FRAME_BYTES = 256 * 1_024
/** A job whose log is full is read this much at a time, with a pause after it: a flood must not take the host. */
const DROPPED_BYTES_PER_PAUSE = 1_048_576
const PAUSE_MS = 10

const notBegun = (failure: SandboxOutcome): NotBegun => ({ kind: 'not-begun', failure })

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The text itself is what counts; it is read once to be sure that whoever quotes it quotes JSON. */
const resultOf = (json: string, limits: SandboxLimits): SandboxOutcome => {
  if (Buffer.byteLength(json) > limits.resultBytes) return resultTooLarge(limits)
  if (!isJson(json)) return forged
  if (isDeeperThan(json, MAX_JSON_DEPTH)) {
    return invalidResult(`The result nests deeper than ${MAX_JSON_DEPTH} levels.`)
  }
  return { kind: 'success', resultJson: json }
}

const sendRun = ({ guest, number, run, code }: GuestRun): void => {
  const { key, limits, trigger, variables, resources, flow = {} } = run
  const { id, action, attempt } = run.job
  const hash = run.bundleHash
  if (code !== null) guest.send(codeLine(hash, { entrypoint: run.entrypoint, code }))
  guest.send(
    runLine(
      {
        run: number,
        hash,
        resultBytes: limits.resultBytes,
        logBytes: limits.logBytes,
        job: { id, app: key.app, action, commit: key.commit, attempt },
        trigger,
        variables,
        resources,
        flow,
      },
      run.inputJson,
    ),
  )
}

/** Answers a function to be called after each output: it makes a guest wait whose output is only dropped. */
const createBrake = (guest: GuestProcess, dropped: () => number): (() => void) => {
  let next = DROPPED_BYTES_PER_PAUSE
  return () => {
    if (dropped() < next) return
    next = dropped() + DROPPED_BYTES_PER_PAUSE
    guest.pause()
    setTimeout(guest.resume, PAUSE_MS)
  }
}

const usageLimits = (limits: SandboxLimits): UsageLimits => ({
  memoryMb: limits.memoryMb,
  processorMs: processorLimitMs(limits),
})

/** @returns how the job ended. Never rejects. */
export const runOnGuest = (request: GuestRun): Promise<SandboxOutcome | NotBegun> =>
  new Promise((resolve) => {
    const { guest, number, run, callbacks, signal, usage, mapStackTrace } = request
    const { limits } = run
    const { onLog } = callbacks
    const log = createJobLog({ limitBytes: limits.logBytes, mapStackTrace, onLog })
    const brake = createBrake(guest, log.dropped)
    const answer = createQuestionDesk(guest, number, callbacks)
    let killed: SandboxOutcome | NotBegun | null = null
    let hasBegun = false
    let isSettled = false

    const settle = (outcome: SandboxOutcome | NotBegun): void => {
      if (isSettled) return
      isSettled = true
      clearTimeout(timer)
      clearTimeout(beginTimer)
      usage.forget(guest)
      guest.listen(null)
      signal.removeEventListener('abort', onAbort)
      log.end()
      resolve(outcome)
    }
    /** The outcome waits for the exit: nothing of the job runs on when it is told. */
    const kill = (outcome: SandboxOutcome | NotBegun): void => {
      killed ??= outcome
      guest.kill()
    }
    const onAbort = (): void => kill({ kind: 'aborted' })

    const begin = (): void => {
      hasBegun = true
      clearTimeout(beginTimer)
    }

    /** The guest is not read while somebody is slow to take what it has sent. */
    const takePart = (text: string): void => {
      if (callbacks.onPart === undefined) return
      guest.pause()
      void callbacks.onPart(text).finally(guest.resume)
    }

    const readFrame = ({ kind, payload }: Frame): void => {
      if (kind === FRAME_KINDS.began) begin()
      else if (kind === FRAME_KINDS.result) settle(resultOf(payload, limits))
      else if (kind === FRAME_KINDS.log) log.text(textFrame.parse(JSON.parse(payload)))
      else if (kind === FRAME_KINDS.part) takePart(textFrame.parse(JSON.parse(payload)))
      else if (kind === FRAME_KINDS.error) {
        const error = failureFrame.parse(JSON.parse(payload))
        // a full disk fails the job's own write before anybody has looked
        settle(guest.disk.isOverfull() ? exceeded('disk', limits) : { kind: 'failure', error })
      }
    }

    const onFrame = (frame: Frame): void => {
      // a kill is under way, or the frame is of an earlier run
      if (killed !== null || frame.run !== number) return
      try {
        if (isQuestion(frame)) {
          answer(frame)
        } else readFrame(frame)
      } catch {
        kill(forged)
      }
      brake()
    }

    const timer = setTimeout(() => kill(timedOut(limits)), limits.timeoutMs)
    const beginTimer = setTimeout(() => kill(notBegun(deaf)), BEGIN_MS)
    signal.addEventListener('abort', onAbort)
    usage.watch(guest, usageLimits(limits), (what) => kill(exceeded(what, limits)))
    guest.egress?.beginJob(() => kill(tooMuchTraffic))
    guest.setFrameLimit(limits.resultBytes + OTHER_FRAME_BYTES)
    guest.listen({
      onFrame,
      onRaw: (bytes) => {
        if (killed !== null) return
        log.bytes(bytes)
        brake()
      },
      onBadFrame: (reason) => kill(reason === 'too_large' ? resultTooLarge(limits) : forged),
      onEnd: (exit) => {
        const failure = crashed(exit, limits)
        settle(killed ?? (hasBegun ? failure : notBegun(failure)))
      },
    })
    if (signal.aborted) onAbort()
    else sendRun(request)
  })
