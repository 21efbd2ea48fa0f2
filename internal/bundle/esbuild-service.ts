/**
 * esbuild's own process, of which there is one, shared by every deploy of this node. Hostile code can bring it down (deep
 * nesting overflows its stack, and it tells of it on our stderr) or keep it busy. So builds run one after another, for a
 * bounded time, and a process that ended is started anew: one author's deploy fails, nobody else's.
 */
const TIMEOUT_MS = 60_000
/** What esbuild says of every build when its process has ended. */
const HAS_ENDED = /service (?:is no longer running|was stopped)/

/** The code brought the bundler down, or kept it longer than a minute. */
export class BundlerGaveUp extends Error {
  override readonly name = 'BundlerGaveUp'
}

type Esbuild = typeof import('esbuild')

/** esbuild keeps its process for the life of ours, and so this is the one queue before it. */
let last: Promise<unknown> = Promise.resolve()

/**
 * Runs one build when those before it are done.
 * @throws {BundlerGaveUp}
 * @throws what esbuild throws for faults of the code
 */
export const buildAlone = <T>(run: (build: Esbuild['build']) => Promise<T>): Promise<T> => {
  const turn = last.then(() => runBounded(run))
  last = turn.catch(() => undefined)
  return turn
}

const runBounded = async <T>(run: (build: Esbuild['build']) => Promise<T>): Promise<T> => {
  // named here, not above: the binary says where esbuild's own program is before it loads
  const { build, stop } = await import('esbuild')
  const deadline = Date.now() + TIMEOUT_MS
  const tryOnce = async (): Promise<T> => {
    const timer = setTimeout(() => void stop(), deadline - Date.now())
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
  // forgets the process that ended, perhaps before this build came to it; the next one starts another
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
