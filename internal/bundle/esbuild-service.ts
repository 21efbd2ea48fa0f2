/**
 * Runs builds in esbuild's own process, one per node and shared by every deploy. Hostile code can crash it (deep nesting
 * overflows its stack, and its memory is limited), keep it busy, or make it send messages without end. So builds run one after
 * another with a timeout and a limit of output, workspaces take turns, and a process that has ended is started again: one
 * author's deploy fails, and no other deploy is affected.
 */
import { createFairTurns } from '#core/fairness/turns.ts'
import { countOutput } from './process-output.ts'

const TIMEOUT_MS = 60_000
/**
 * A bundle of 20 MiB comes with a source map of about 12 MiB. Each message of esbuild repeats the line that it is about,
 * so without a limit 63 KB of faults in one line take 1 GB of this process.
 */
export const MAX_OUTPUT_BYTES = 40 * 1_024 * 1_024
/** esbuild's package keeps a buffer of twice its largest output while the process lives, so larger ones end the process. */
const KEPT_OUTPUT_BYTES = 8 * 1_024 * 1_024
/** esbuild's message for every build after its process has ended. */
const HAS_ENDED = /service (?:is no longer running|was stopped)/

/** The code crashed the bundler, needed more memory than it has, kept it busy for a minute, or made it send too much. */
export class BundlerGaveUp extends Error {
  override readonly name = 'BundlerGaveUp'
  readonly reason: 'ended' | 'timeout' | 'output'

  constructor(reason: BundlerGaveUp['reason'], options?: ErrorOptions) {
    super(`esbuild could not finish a build: ${reason}.`, options)
    this.reason = reason
  }
}

type Esbuild = typeof import('esbuild')

type Run<T> = (build: Esbuild['build']) => Promise<T>

let prepare: () => void = () => undefined

/**
 * Sets what must happen before esbuild is loaded, because loading it fixes the path of its executable.
 * @param act runs before the first build, because it may start processes and most nodes never build; after an error, which
 * fails the build, it runs again before the next one
 */
export const beforeEsbuild = (act: () => void): void => {
  prepare = () => {
    act()
    prepare = () => undefined
  }
}

/** Turns at the bundler. They are module state because esbuild's process lives as long as ours. */
const take = createFairTurns()

/**
 * Runs one build when its owner's turn has come. Owners take turns, however many builds each has.
 * @param owner the workspace
 * @throws {BundlerGaveUp}
 * @throws what esbuild throws for faults of the code
 */
export const buildAlone = <T>(run: Run<T>, owner = ''): Promise<T> =>
  take(owner, () => runBounded(run))

const runBounded = async <T>(run: Run<T>): Promise<T> => {
  prepare()
  const { esbuild } = await import('./esbuild-api.ts')
  return runOnce(esbuild, run, true)
}

/** Receives the sizes of what esbuild sends to the build that runs. It is module state because the process outlives builds. */
let onOutput: (bytes: number) => void = () => undefined

const runOnce = async <T>(
  esbuild: Pick<Esbuild, 'build' | 'stop'>,
  run: Run<T>,
  mayRepeat: boolean,
): Promise<T> => {
  const gaveUp = Promise.withResolvers<never>()
  const timer = setTimeout(() => gaveUp.reject(new BundlerGaveUp('timeout')), TIMEOUT_MS)
  let received = 0
  onOutput = (bytes) => {
    received += bytes
    if (received > MAX_OUTPUT_BYTES) gaveUp.reject(new BundlerGaveUp('output'))
  }
  const build: Esbuild['build'] = (options) =>
    countOutput(
      () => esbuild.build(options),
      (bytes) => onOutput(bytes),
    )
  try {
    // a build may never settle after stop()
    return await Promise.race([run(build), gaveUp.promise])
  } catch (error) {
    if (!(error instanceof BundlerGaveUp || hasEnded(error))) throw error
    await esbuild.stop()
    if (error instanceof BundlerGaveUp) throw error
    // a process that sent nothing had ended before this build began, so this code is not the reason
    if (received === 0 && mayRepeat) return await runOnce(esbuild, run, false)
    throw new BundlerGaveUp('ended', { cause: error })
  } finally {
    clearTimeout(timer)
    if (received > KEPT_OUTPUT_BYTES) await esbuild.stop()
  }
}

const hasEnded = (error: unknown): boolean =>
  error instanceof Error && HAS_ENDED.test(error.message)
