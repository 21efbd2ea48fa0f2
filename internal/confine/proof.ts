/**
 * Finds out whether bubblewrap works here, by a trial. A trial that failed only because the machine was busy proves nothing:
 * programs are refused until a later trial ends, because the sender of a hostile file could otherwise escape the confinement
 * by keeping the machine busy.
 */
import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import { type AppError, unavailable } from '#core/error.ts'
import { type Bind, bubblewrapArgs, versionFault } from '#sandbox/linux/bubblewrap-args.ts'

const execute = promisify(execFile)

/** `busy`: the trial took too long, or the machine lacked memory, processes or descriptors. */
type Outcome = 'works' | 'refused' | 'busy'

export type Trials = Readonly<{
  /** Blocks this process. */
  now: () => Outcome
  /** Never rejects. */
  later: () => Promise<Outcome>
}>

const TRIAL_MS = 10_000
/** Milliseconds between two trials while the machine is busy. */
const RETRY_MS = 10_000
const LACKS =
  /ETIMEDOUT|EAGAIN|ENOMEM|EMFILE|ENFILE|temporarily unavailable|Cannot allocate memory|Too many open files/

const outcomeOf = (error: unknown): Outcome => {
  const isLate = error instanceof Error && 'killed' in error && error.killed === true
  return isLate || LACKS.test(String(error)) ? 'busy' : 'refused'
}

/** Trials that start bubblewrap. @param become the command that starts it @param binds what `true` needs */
export const createTrials = (
  become: readonly string[],
  binds: readonly Bind[],
  timeoutMs = TRIAL_MS,
): Trials => {
  const bwrap = become.at(-1) ?? ''
  const confinement = { binds, env: {}, temporaryMb: 1, command: ['/usr/bin/true'] }
  const [command = '', ...args] = [...become, ...bubblewrapArgs(confinement)]
  const options = { encoding: 'utf8', env: {}, timeout: timeoutMs } as const
  const quiet = { ...options, stdio: 'pipe' } as const
  return {
    now: () => {
      try {
        if (versionFault(bwrap, execFileSync(bwrap, ['--version'], quiet)) !== null)
          return 'refused'
        execFileSync(command, args, quiet)
        return 'works'
      } catch (error) {
        return outcomeOf(error)
      }
    },
    later: async () => {
      const before = performance.now()
      try {
        const { stdout } = await execute(bwrap, ['--version'], options)
        // a timeout may discard the output of a program that has just ended
        if (stdout === '' && performance.now() - before >= timeoutMs) return 'busy'
        if (versionFault(bwrap, stdout) !== null) return 'refused'
        await execute(command, args, options)
        return 'works'
      } catch (error) {
        return outcomeOf(error)
      }
    },
  }
}

const tooBusy = (): AppError =>
  unavailable('This server is too busy to start a confined program. Try again.', {
    retryAfterS: RETRY_MS / 1_000,
  })

/** Keeps what a trial proved. Only the first use may block this process; further trials do not. */
export const createProof = (trials: Trials, now: () => number = () => performance.now()) => {
  let proved: Exclude<Outcome, 'busy'> | null = null
  let triedAt: number | null = null
  let running: Promise<void> | null = null
  const keep = (outcome: Outcome): void => {
    triedAt = now()
    if (outcome !== 'busy') proved ??= outcome
  }
  /** Tries without blocking this process, once at a time. */
  const probe = (): Promise<void> => {
    running ??= trials
      .later()
      .then(keep)
      .finally(() => {
        running = null
      })
    return running
  }
  return {
    /** @returns whether this machine can confine @throws {AppError} unavailable */
    holds: (): boolean => {
      if (triedAt === null) keep(trials.now())
      else if (proved === null && now() - triedAt >= RETRY_MS) void probe()
      if (proved === null) throw tooBusy()
      return proved === 'works'
    },
    probe,
  }
}
