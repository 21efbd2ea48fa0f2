/** Takes the strongest provider whose canary holds, and refuses one that is weaker than the operator asked for. */
import process from 'node:process'
import { AppError } from '#core/error.ts'
import { createDenoProvider } from './deno-provider.ts'
import { createNodeProvider } from './node-provider.ts'
import type { Provider } from './process-shape.ts'
import { ISOLATION_LEVELS, type IsolationLevel, type ProbeResult } from './provider.ts'

export type ProviderChoice = Readonly<{
  wanted: 'auto' | 'deno' | 'node'
  minLevel: IsolationLevel
  /** A folder for the guest program. */
  runtimeDir: string
  findDeno: () => Promise<string>
  /** How a single-file executable is told to be a guest. @default none: Node runs a file */
  nodeGuestArgs?: readonly string[] | undefined
}>

export type SelectedProvider = Readonly<{ provider: Provider; probe: ProbeResult }>

/**
 * `auto` takes Deno; it takes plain Node only where the operator has said by `minLevel: none` that no wall is asked for.
 * @throws {AppError} unavailable: none reaches `minLevel`
 */
export const selectProvider = async (choice: ProviderChoice): Promise<SelectedProvider> => {
  const { wanted, minLevel } = choice
  if (wanted === 'node') return accept(openNode(choice), choice)
  try {
    return await accept(await openDeno(choice), choice)
  } catch (error) {
    if (wanted === 'deno' || minLevel !== 'none' || !(error instanceof AppError)) throw error
    const { provider, probe } = await accept(openNode(choice), choice)
    return { provider, probe: { ...probe, notes: [error.message, ...probe.notes] } }
  }
}

const accept = async (
  provider: Provider,
  { minLevel }: ProviderChoice,
): Promise<SelectedProvider> => {
  const probe = await provider.probe()
  if (!probe.ok) {
    throw new AppError(
      'unavailable',
      `The sandbox ${provider.name} does not work here. ${probe.notes.join(' ')}`,
    )
  }
  if (ISOLATION_LEVELS.indexOf(probe.level) < ISOLATION_LEVELS.indexOf(minLevel)) {
    throw new AppError(
      'unavailable',
      `The sandbox ${provider.name} gives level "${probe.level}", SVC_SANDBOX_MIN_LEVEL asks for "${minLevel}". Use a stronger sandbox or lower the level.`,
    )
  }
  return { provider, probe }
}

const openNode = ({ runtimeDir, nodeGuestArgs }: ProviderChoice): Provider => {
  if ('deno' in process.versions) {
    throw new AppError('unavailable', 'SVC_SANDBOX=node needs svc itself to run on Node.')
  }
  return createNodeProvider({
    nodePath: process.execPath,
    runtimeDir,
    ...(nodeGuestArgs === undefined ? {} : { guestArgs: nodeGuestArgs }),
  })
}

const openDeno = async ({ runtimeDir, findDeno }: ProviderChoice): Promise<Provider> => {
  try {
    return createDenoProvider({ denoPath: await findDeno(), runtimeDir })
  } catch (error) {
    throw noRuntime(error)
  }
}

const noRuntime = (cause: unknown): AppError => {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new AppError('unavailable', `The Deno runtime for jobs is not there: ${reason}`, { cause })
}
