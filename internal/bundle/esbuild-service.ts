/**
 * Runs builds in esbuild's own process, one per node and shared by every deploy. Hostile code can crash it (deep nesting
 * overflows its stack, and its memory is limited) or keep it busy. So builds run one after another with a timeout, workspaces
 * take turns, and a process that has ended is started again: one author's deploy fails, and no other deploy is affected.
 */
import { createFairTurns } from '#core/fair-turns.ts'

const TIMEOUT_MS = 60_000
/** esbuild's message for every build after its process has ended. */
const HAS_ENDED = /service (?:is no longer running|was stopped)/

/** The code crashed the bundler, needed more memory than it has, or kept it busy for more than a minute. */
export class BundlerGaveUp extends Error {
  override readonly name = 'BundlerGaveUp'
}

type Esbuild = typeof import('esbuild')

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
export const buildAlone = <T>(
  run: (build: Esbuild['build']) => Promise<T>,
  owner = '',
): Promise<T> => take(owner, () => runBounded(run))

const runBounded = async <T>(run: (build: Esbuild['build']) => Promise<T>): Promise<T> => {
  prepare()
  const {
    esbuild: { build, stop },
  } = await import('./esbuild-api.ts')
  const deadline = Date.now() + TIMEOUT_MS
  const tryOnce = async (): Promise<T> => {
    const timer = setTimeout(() => void stop(), Math.max(0, deadline - Date.now()))
    try {
      return await run(build)
    } finally {
      clearTimeout(timer)
    }
  }
  try {
    return await tryOnce()
  } catch (error) {
    if (!hasEnded(error)) throw error
  }
  // clear the process that has ended, perhaps before this build began; the next build starts a new one
  await stop()
  try {
    return await tryOnce()
  } catch (error) {
    if (!hasEnded(error)) throw error
    await stop()
    throw new BundlerGaveUp('esbuild ended in the middle of a build.', { cause: error })
  }
}

const hasEnded = (error: unknown): boolean =>
  error instanceof Error && HAS_ENDED.test(error.message)
