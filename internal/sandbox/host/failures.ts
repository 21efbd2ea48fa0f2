/** The failures of the sandbox. Each limit of a job has its own name and message. */
import { MAX_FOLDER_ENTRIES, MAX_FOLDER_MB } from '../linux/guest-limits.ts'
import type { SandboxLimits, SandboxOutcome } from '../sandbox.ts'
import type { ExitReport } from './reader.ts'
import { MAX_REQUESTS_OF_JOB } from './request-rate.ts'
import type { Exceeded } from './usage.ts'

/** Messages that the runtimes print before they run out of memory and die. */
const OUT_OF_MEMORY =
  /heap out of memory|JavaScript out of memory|Reached heap limit|Array buffer allocation failed|memory allocation of \d+ bytes failed/

/** The exit code by which bubblewrap reports SIGXFSZ of its program: 128 + 25. */
const SIGXFSZ_CODE = 153

const failure = (name: string, message: string): SandboxOutcome => ({
  kind: 'failure',
  error: { name, message },
})

const outOfMemory = (limitMb: number): SandboxOutcome =>
  failure('OutOfMemory', `The job used more than its limit of ${limitMb} MB of memory.`)

const diskLimit = failure(
  'DiskLimit',
  `The job kept more than ${MAX_FOLDER_MB} MB or ${MAX_FOLDER_ENTRIES} files in its temporary folder.`,
)

/** Multiple of the timeout, because threads of a job use processor time in parallel. */
const PROCESSOR_SHARE = 1.5

/** Milliseconds of processor time that a job may use. */
export const processorLimitMs = ({ timeoutMs, processorMs }: SandboxLimits): number =>
  processorMs ?? timeoutMs * PROCESSOR_SHARE

/** The failure of a job that exceeded a limit of the usage watch. */
export const exceeded = (what: Exceeded, limits: SandboxLimits): SandboxOutcome => {
  if (what === 'memory') return outOfMemory(limits.memoryMb)
  if (what === 'disk') return diskLimit
  return failure(
    'CpuLimit',
    `The job used more than its limit of ${processorLimitMs(limits) / 1_000} s of processor time.`,
  )
}

/** The failure of a job that ran longer than its timeout. */
export const timedOut = ({ timeoutMs }: SandboxLimits): SandboxOutcome =>
  failure('Timeout', `The job ran longer than its limit of ${timeoutMs / 1_000} s.`)

/** The failure of a job whose result is larger than its limit. */
export const resultTooLarge = ({ resultBytes }: SandboxLimits): SandboxOutcome =>
  failure(
    'ResultTooLarge',
    `The result is larger than ${resultBytes} bytes. Return less, or store it and return where it is.`,
  )

export const tooMuchTraffic = failure(
  'NetworkLimit',
  'The job sent and received more than the network limit of one job, 1 GB.',
)

export const tooManyRequests = failure(
  'RequestLimit',
  `The job requested its state or links from svc more than ${MAX_REQUESTS_OF_JOB} times.`,
)

/** The failure of a job whose result is not valid JSON. */
export const invalidResult = (message: string): SandboxOutcome => failure('InvalidResult', message)

/** The failure of a process that sends invalid messages, which only user code that forges them does. */
export const forged = failure(
  'SandboxCrashed',
  'The process wrote something that is not a message of svc.',
)

export const unresponsive = failure('SandboxCrashed', 'The process did not take the job.')

/** The failure of a process that could not be started or was not allowed to be. */
export const notStarted = (error: unknown): SandboxOutcome =>
  failure(
    'SandboxCrashed',
    `The process could not be started: ${error instanceof Error ? error.message : String(error)}`,
  )

/** The failure of a process that ended on its own while a job ran in it. */
export const crashed = (exit: ExitReport, limits: SandboxLimits): SandboxOutcome => {
  if (exit.startError !== null) return notStarted(exit.startError)
  if (exit.isOutOfMemory || OUT_OF_MEMORY.test(exit.outputTail)) return outOfMemory(limits.memoryMb)
  // one file grew beyond the limit that the process was started with
  if (exit.signal === 'SIGXFSZ' || exit.code === SIGXFSZ_CODE) return diskLimit
  const how = exit.signal === null ? `exit code ${exit.code}` : `signal ${exit.signal}`
  return failure('SandboxCrashed', `The process of the job ended by itself: ${how}.`)
}

/** Messages of bubblewrap and Deno when they cannot start a process or thread. */
const SHORTAGES =
  /^bwrap: .*: (?:Resource temporarily unavailable|Cannot allocate memory|Too many open files)|^Deno could not start: unable to create worker threads/m

/**
 * Returns why a process, or one that it starts in turn, could not be started; null if they were.
 * @param number of the run in the process. After the first, code of the job may have printed such messages
 */
export const startErrorOf = (
  { startError, outputTail }: ExitReport,
  number: number,
): Error | null =>
  number === 1 && SHORTAGES.test(outputTail)
    ? Object.assign(new Error(outputTail), { code: 'EAGAIN' })
    : startError
