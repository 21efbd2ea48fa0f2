/**
 * Runs one job on one guest process and settles how it ended, whatever the process does. Everything that comes from the
 * guest is checked: it may be the job's own forgery.
 */
import { z } from 'zod'
import { MAX_STEP_RESULT_BYTES } from '#core/durable/limits.ts'
import { isDeeperThan } from '#core/json-depth.ts'
import { parseText } from '../protocol/frame-text.ts'
import { codeLine, FRAME_KINDS, runLine } from '../protocol/messages.ts'
import type { SandboxCallbacks, SandboxLimits, SandboxOutcome, SandboxRun } from '../sandbox.ts'
import { createCancelWatch } from './cancel-watch.ts'
import { judgeResult } from './check-result.ts'
import type { Deadlines } from './deadlines.ts'
import { journalText, parseSuspension } from './durable-calls.ts'
import {
  crashed,
  exceeded,
  forged,
  processorLimitMs,
  resultTooLarge,
  timedOut,
  tooManyRequests,
  tooMuchTraffic,
  unresponsive,
} from './failures.ts'
import type { Frame } from './frame-parser.ts'
import { createGuestRpc, isHostCall, isStepCall } from './guest-rpc.ts'
import { createJobLog } from './log.ts'
import type { GuestProcess } from './process.ts'
import type { StackTraceMapper } from './stack-trace.ts'
import type { UsageLimits, UsageWatch } from './usage.ts'

export type GuestRun = Readonly<{
  guest: GuestProcess
  /** The number of the run in this process, from 1, which distinguishes its frames from those of earlier runs. */
  number: number
  run: SandboxRun
  callbacks: SandboxCallbacks
  signal: AbortSignal
  usage: UsageWatch
  deadlines: Deadlines
  /** Null if this process has the code already. */
  code: string | null
  mapStackTrace: StackTraceMapper
}>

/** The process died or went unresponsive before it took the run: the job has not begun, and may be given to another. */
export type NotBegun = Readonly<{ kind: 'not-begun'; failure: SandboxOutcome }>

/** How long a process may take to start and to take its run. */
const BEGIN_MS = 5_000

const failureFrame = z.object({
  name: z.string().max(200),
  message: z.string().max(100_000),
  isFinal: z.literal(true).optional(),
})
/** An object of texts and a mark. */
const FAILURE_DEPTH = 1

/** Room in a frame for anything but the result: a piece of log, or a state value, with every character escaped. */
const OTHER_FRAME_BYTES = 384 * 1_024
/** A job whose log is full is read this much at a time, with a pause after it: a flood must not take the host. */
const DROPPED_BYTES_PER_PAUSE = 1_048_576
const PAUSE_MS = 10

/** These hold what the job itself may make as large as a result. */
const isBulky = ({ kind }: Frame): boolean =>
  kind === FRAME_KINDS.result ||
  kind === FRAME_KINDS.part ||
  kind === FRAME_KINDS.start ||
  kind === FRAME_KINDS.suspend ||
  isStepCall(kind)

/** @throws {Error} it is not a failure */
const parseFailure = (payload: string): z.infer<typeof failureFrame> => {
  if (isDeeperThan(payload, FAILURE_DEPTH)) throw new Error('The frame holds no failure.')
  return failureFrame.parse(JSON.parse(payload))
}

const notBegun = (failure: SandboxOutcome): NotBegun => ({ kind: 'not-begun', failure })

const sendRun = ({ guest, number, run, code, callbacks }: GuestRun): void => {
  const { key, limits, trigger, variables, resources, flow = {}, traceparent = null } = run
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
        traceparent,
      },
      { inputJson: run.inputJson, durableJson: journalText(callbacks.durable) },
    ),
  )
}

/** Answers a function to be called after each output: it makes a guest wait whose output is only dropped. */
const createBrake = (guest: GuestProcess, dropped: () => number): (() => void) => {
  let next = DROPPED_BYTES_PER_PAUSE
  return () => {
    if (dropped() < next) return
    next = dropped() + DROPPED_BYTES_PER_PAUSE
    setTimeout(guest.hold(), PAUSE_MS)
  }
}

const usageLimits = (limits: SandboxLimits): UsageLimits => ({
  memoryMb: limits.memoryMb,
  processorMs: processorLimitMs(limits),
})

/** @throws {Error} it is not a failure */
const toFailure = (payload: string, { guest, run }: GuestRun): SandboxOutcome => {
  const { isFinal, ...error } = parseFailure(payload)
  // a full disk fails a write of the job before the usage watch polls
  if (guest.disk.isOverfull()) return exceeded('disk', run.limits)
  return { kind: 'failure', error, ...(isFinal && { isFinal }) }
}

/** @throws {Error} it is not a suspension, or the job has no durable steps */
const toSuspension = (payload: string, { durable }: SandboxCallbacks): SandboxOutcome => {
  if (durable === undefined) throw new Error('There are no durable steps.')
  return { kind: 'suspended', ...parseSuspension(payload) }
}

/** A durable step may have a larger result than the job. */
const frameLimit = ({ resultBytes }: SandboxLimits): number =>
  Math.max(resultBytes, MAX_STEP_RESULT_BYTES) + OTHER_FRAME_BYTES

/** @returns how the job ended. Never rejects. */
export const runOnGuest = (request: GuestRun): Promise<SandboxOutcome | NotBegun> =>
  new Promise((resolve) => {
    const { guest, number, run, callbacks, signal, usage, mapStackTrace } = request
    const { limits } = run
    const { onLog } = callbacks
    const log = createJobLog({ limitBytes: limits.logBytes, mapStackTrace, onLog })
    const brake = createBrake(guest, log.dropped)
    const onTooMany = (): void => kill(tooManyRequests)
    const answer = createGuestRpc({ guest, number, callbacks, onTooMany })
    let killed: SandboxOutcome | NotBegun | null = null
    let hasBegun = false
    let hasAnswered = false
    let isSettled = false

    const settle = (outcome: SandboxOutcome | NotBegun): void => {
      if (isSettled) return
      isSettled = true
      clearTimeout(timer)
      clearTimeout(beginTimer)
      cancel.end()
      usage.forget(guest)
      deadline?.forget()
      guest.listen(null)
      signal.removeEventListener('abort', onAbort)
      log.end()
      // what a canceled script returns is discarded
      resolve(cancel.isCanceled && hasBegun ? { kind: 'aborted' } : outcome)
    }
    /** The outcome waits for the exit, so that nothing of the job runs after it is reported. */
    const kill = (outcome: SandboxOutcome | NotBegun): void => {
      killed ??= outcome
      guest.kill()
    }
    const onAbort = (): void => kill({ kind: 'aborted' })
    const cancel = createCancelWatch({ run: request, hasBegun: () => hasBegun, kill: onAbort })

    const begin = (): void => {
      hasBegun = true
      clearTimeout(beginTimer)
    }

    /** The guest is not read while its caller is slow to take what it sent. */
    const takePart = (text: string): void => {
      if (callbacks.onPart === undefined) return
      void callbacks.onPart(text).finally(guest.hold())
    }

    /** Nothing else of the run counts from here on, while the result is read. */
    const takeResult = (payload: string): void => {
      hasAnswered = true
      void judgeResult(payload, limits).then((outcome) => settle(killed ?? outcome))
    }

    const readers: Readonly<Record<string, (payload: string) => void>> = {
      [FRAME_KINDS.began]: begin,
      [FRAME_KINDS.log]: (payload) => log.frame(payload, 'log'),
      [FRAME_KINDS.stdout]: (payload) => log.frame(payload, 'stdout'),
      [FRAME_KINDS.stderr]: (payload) => log.frame(payload, 'stderr'),
      [FRAME_KINDS.watchCancel]: cancel.begin,
      [FRAME_KINDS.part]: (payload) => takePart(parseText(payload)),
      [FRAME_KINDS.result]: takeResult,
      [FRAME_KINDS.suspend]: (payload) => settle(toSuspension(payload, callbacks)),
      [FRAME_KINDS.error]: (payload) => settle(toFailure(payload, request)),
    }

    const onFrame = (frame: Frame): void => {
      // a kill is under way, the job has answered, or the frame is of an earlier run
      if (killed !== null || hasAnswered || frame.run !== number) return
      try {
        if (!isBulky(frame) && frame.payload.length > OTHER_FRAME_BYTES) kill(forged)
        else if (isHostCall(frame)) answer(frame)
        else readers[frame.kind]?.(frame.payload)
      } catch {
        kill(forged)
      }
      brake()
    }

    const timer = setTimeout(() => kill(timedOut(limits)), limits.timeoutMs)
    const deadline =
      guest.pid === null
        ? null
        : request.deadlines.watch({ pid: guest.pid, isHidden: guest.isHidden }, limits.timeoutMs)
    const beginTimer = setTimeout(() => kill(notBegun(unresponsive)), BEGIN_MS)
    signal.addEventListener('abort', onAbort)
    usage.watch(guest, usageLimits(limits), (what) => kill(exceeded(what, limits)))
    guest.egress?.beginJob(() => kill(tooMuchTraffic))
    guest.setFrameLimit(frameLimit(limits))
    guest.listen({
      onFrame,
      onRaw: (bytes) => {
        if (killed !== null || hasAnswered) return
        log.bytes(bytes)
        brake()
      },
      onBadFrame: (reason) => kill(reason === 'too_large' ? resultTooLarge(limits) : forged),
      onEnd: (exit) => {
        // its result is being read
        if (hasAnswered && killed === null) return
        const failure = deadline?.hasFired() === true ? timedOut(limits) : crashed(exit, limits)
        settle(killed ?? (hasBegun ? failure : notBegun(failure)))
      },
    })
    if (signal.aborted || cancel.isCanceled) onAbort()
    else sendRun(request)
  })
