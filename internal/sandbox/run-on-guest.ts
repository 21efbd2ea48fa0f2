/** Runs one job on one guest process and settles how it ended, whatever the process does. */
import { z } from 'zod'
import type { JsonValue } from '#core/json.ts'
import type { GuestExit, GuestProcess } from './guest-process.ts'
import type { MemoryWatch } from './memory-watch.ts'
import { encodeMessage, encodeRun, type FrameKind } from './protocol.ts'
import type { SandboxCallbacks, SandboxOutcome, SandboxRun } from './provider.ts'
import { mapStackTrace } from './stack-trace.ts'

export type GuestRun = Readonly<{
  guest: GuestProcess
  run: SandboxRun
  callbacks: SandboxCallbacks
  signal: AbortSignal
  memory: MemoryWatch
  /** Null: this process has the code already. */
  code: string | null
  sourceMap: string
}>

const failureFrame = z.object({ name: z.string(), message: z.string(), stack: z.string() })
const stateFrame = z.object({
  id: z.number(),
  op: z.enum(['get', 'set']),
  key: z.string().max(512),
  value: z.json(),
})
const textFrame = z.string()

const LOG_LIMIT_MARK = '\n[svc] The log limit is reached; further output is dropped.\n'
const OUT_OF_MEMORY =
  /heap out of memory|JavaScript invalid size error|Fatal JavaScript out of memory/

const failure = (name: string, message: string): SandboxOutcome => ({
  kind: 'failure',
  error: { name, message },
})

export const runOnGuest = (request: GuestRun): Promise<SandboxOutcome> =>
  new Promise((resolve) => {
    const { guest, run, callbacks, signal, memory } = request
    const { limits } = run
    let logLeft = limits.logBytes
    let killed: SandboxOutcome | null = null
    let isSettled = false

    const settle = (outcome: SandboxOutcome): void => {
      if (isSettled) return
      isSettled = true
      clearTimeout(timer)
      memory.forget(guest.pid)
      guest.listen(null)
      signal.removeEventListener('abort', onAbort)
      resolve(outcome)
    }
    /** The outcome waits for the exit: nothing of the job runs on when it is told. */
    const kill = (outcome: SandboxOutcome): void => {
      killed ??= outcome
      guest.kill()
    }
    const onAbort = (): void => kill({ kind: 'aborted' })

    const log = (text: string): void => {
      if (logLeft <= 0) return
      const mapped = mapStackTrace(text, request.sourceMap)
      const size = Buffer.byteLength(mapped)
      const left = logLeft
      logLeft -= size
      callbacks.onLog(size <= left ? mapped : mapped.slice(0, left) + LOG_LIMIT_MARK)
    }

    const onResult = (body: string): void => {
      if (Buffer.byteLength(body) > limits.resultBytes) {
        return settle(
          failure('ResultTooLarge', `The result is larger than ${limits.resultBytes} bytes.`),
        )
      }
      try {
        JSON.parse(body)
      } catch {
        return settle(failure('InvalidResult', 'The result is no JSON.'))
      }
      settle({ kind: 'success', resultJson: body })
    }

    const onFailure = (body: string): void => {
      const { name, message, stack } = failureFrame.parse(JSON.parse(body))
      if (stack !== '') log(`${stack}\n`)
      settle(failure(name, message))
    }

    const onState = async (body: string): Promise<void> => {
      const { id, op, key, value } = stateFrame.parse(JSON.parse(body))
      try {
        const answer: JsonValue = op === 'get' ? await callbacks.getState(key) : null
        if (op === 'set') await callbacks.setState(key, value)
        guest.send(encodeMessage({ t: 'state', id, value: answer }))
      } catch {
        guest.send(encodeMessage({ t: 'state', id, error: 'The state could not be reached.' }))
      }
    }

    /** A frame that is not of its form was forged by the job: it fails, nobody else. */
    const onFrame = (kind: FrameKind, body: string): void => {
      try {
        if (kind === 'R') onResult(body)
        else if (kind === 'E') onFailure(body)
        else if (kind === 'L') log(textFrame.parse(JSON.parse(body)))
        else if (kind === 'S') void onState(body).catch(onForged)
      } catch {
        onForged()
      }
    }
    const onForged = (): void =>
      kill(failure('SandboxCrashed', 'The process wrote something that is no message of svc.'))

    const onExit = ({ code, signal: by, lastWords }: GuestExit): void => {
      if (killed !== null) return settle(killed)
      if (OUT_OF_MEMORY.test(lastWords)) return settle(outOfMemory(limits.memoryMb))
      const how = by === null ? `exit code ${code}` : `signal ${by}`
      settle(failure('SandboxCrashed', `The process of the job ended by itself: ${how}.`))
    }

    const seconds = limits.timeoutMs / 1_000
    const timer = setTimeout(
      () => kill(failure('Timeout', `The job ran longer than its limit of ${seconds} s.`)),
      limits.timeoutMs,
    )
    guest.listen({
      onFrame,
      onOutput: log,
      onOversize: () =>
        kill(failure('ResultTooLarge', 'The process wrote more than one message may hold.')),
    })
    memory.watch(guest.pid, limits.memoryMb, () => kill(outOfMemory(limits.memoryMb)))
    void guest.exited.then(onExit)
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) return onAbort()
    sendJob(request)
  })

const outOfMemory = (memoryMb: number): SandboxOutcome =>
  failure('OutOfMemory', `The job needed more than its limit of ${memoryMb} MB.`)

const sendJob = ({ guest, run, code }: GuestRun): void => {
  const { bundleHash: hash, entrypoint, key, job, limits } = run
  if (code !== null) guest.send(encodeMessage({ t: 'load', hash, entrypoint, code }))
  const facts = {
    hash,
    job: { id: job.id, app: key.app, action: job.action, commit: key.commit, attempt: job.attempt },
    trigger: run.trigger,
    variables: run.variables,
    resources: run.resources,
    resultBytes: limits.resultBytes,
    logBytes: limits.logBytes,
  }
  guest.send(encodeRun(facts, run.inputJson))
}
