/**
 * Runs one job on one guest process and decides how it ended, whatever the process does.
 * Everything that comes from the guest is checked, because the job may have forged it.
 */
import { z } from 'zod'
import { MAX_STEP_RESULT_BYTES } from '#core/durable/limits.ts'
import { isDeeperThan } from '#core/json/depth.ts'
import { parseText } from '../protocol/frame-text.ts'
import { FRAME_KINDS, runLine } from '../protocol/messages.ts'
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
  startErrorOf,
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
  /** The number of the run in this process, from 1. It distinguishes frames of this run from those of earlier runs. */
  number: number
  run: SandboxRun
  callbacks: SandboxCallbacks
  signal: AbortSignal
  usage: UsageWatch
  deadlines: Deadlines
  /** The line with the code, in parts; null if this process already has it. */
  codeLine: readonly Uint8Array[] | null
  mapStackTrace: StackTraceMapper
}>

/** The process died or became unresponsive before it took the run. The job has not begun, so another process may run it. */
export type NotBegun = Readonly<{
  kind: 'not-begun'
  failure: SandboxOutcome
  /** Why the process, or one that it starts in turn, could not be started. Null if they were. */
  startError: Error | null
}>

/** How long a process may take to start and accept its run, in milliseconds. */
const BEGIN_MS = 5_000

const failureFrame = z.object({
  name: z.string().max(200),
  message: z.string().max(100_000),
  isFinal: z.literal(true).optional(),
})
/** The frame is an object of texts and one flag. */
const FAILURE_DEPTH = 1

/** The size of a frame without a result: a piece of log or a state value, with every character escaped. */
const OTHER_FRAME_BYTES = 384 * 1_024
/** Reads a job whose log is full in portions of this size, with a pause after each, so that a flood does not overload the host. */
const DROPPED_BYTES_PER_PAUSE = 1_048_576
const PAUSE_MS = 10

/** Frames that a job may make as large as a result. */
const isBulky = ({ kind }: Frame): boolean =>
  kind === FRAME_KINDS.result ||
  kind === FRAME_KINDS.part ||
  kind === FRAME_KINDS.start ||
  kind === FRAME_KINDS.suspend ||
  isStepCall(kind)

/** @throws {Error} the payload is not a failure */
const parseFailure = (payload: string): z.infer<typeof failureFrame> => {
  if (isDeeperThan(payload, FAILURE_DEPTH)) throw new Error('The frame holds no failure.')
  return failureFrame.parse(JSON.parse(payload))
}

const notBegun = (failure: SandboxOutcome, startError: Error | null = null): NotBegun => ({
  kind: 'not-begun',
  failure,
  startError,
})

const sendRun = ({ guest, number, run, codeLine, callbacks }: GuestRun): void => {
  const { key, limits, trigger, variables, resources, flow = {}, traceparent = null } = run
  const { id, action, attempt } = run.job
  const hash = run.bundleHash
  for (const part of codeLine ?? []) guest.send(part)
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

/** Returns a function to call after each output. It slows a guest whose output is only dropped. */
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

/** @throws {Error} the payload is not a failure */
const toFailure = (payload: string, { guest, run }: GuestRun): SandboxOutcome => {
  const { isFinal, ...error } = parseFailure(payload)
  // a full disk makes a write of the job fail before the usage watch polls
  if (guest.disk.isOverfull()) return exceeded('disk', run.limits)
  return { kind: 'failure', error, ...(isFinal && { isFinal }) }
}

/** @throws {Error} the payload is not a suspension, or the job has no durable steps */
const toSuspension = (payload: string, { durable }: SandboxCallbacks): SandboxOutcome => {
  if (durable === undefined) throw new Error('There are no durable steps.')
  return { kind: 'suspended', ...parseSuspension(payload) }
}

/** The result of a durable step may be larger than that of the job. */
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
    /** Reports the outcome only after the exit, so that nothing of the job still runs then. */
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

    /** Stops reading the guest while the caller is slow to take a part. */
    const takePart = (text: string): void => {
      if (callbacks.onPart === undefined) return
      void callbacks.onPart(text).finally(guest.hold())
    }

    /** Ignores everything else of the run while the result is checked. */
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
      // a kill is in progress, the job has sent its result, or the frame is from an earlier run
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
        // its result is still being checked
        if (hasAnswered && killed === null) return
        const failure = deadline?.hasFired() === true ? timedOut(limits) : crashed(exit, limits)
        settle(killed ?? (hasBegun ? failure : notBegun(failure, startErrorOf(exit, number))))
      },
    })
    if (signal.aborted || cancel.isCanceled) onAbort()
    else sendRun(request)
  })
