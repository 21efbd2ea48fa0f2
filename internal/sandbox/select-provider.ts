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
}>

export type SelectedProvider = Readonly<{ provider: Provider; probe: ProbeResult }>

/** @throws {AppError} unavailable: none reaches `minLevel` */
export const selectProvider = async (choice: ProviderChoice): Promise<SelectedProvider> => {
  const provider = await openProvider(choice)
  const probe = await provider.probe()
  if (!probe.ok) {
    throw new AppError(
      'unavailable',
      `The sandbox ${provider.name} does not work here. ${probe.notes.join(' ')}`,
    )
  }
  if (ISOLATION_LEVELS.indexOf(probe.level) < ISOLATION_LEVELS.indexOf(choice.minLevel)) {
    throw new AppError(
      'unavailable',
      `The sandbox ${provider.name} gives level "${probe.level}", SVC_SANDBOX_MIN_LEVEL asks for "${choice.minLevel}". Use a stronger sandbox or lower the level.`,
    )
  }
  return { provider, probe }
}

const openProvider = async ({ wanted, runtimeDir, findDeno }: ProviderChoice): Promise<Provider> =>
  wanted === 'node'
    ? createNodeProvider({ nodePath: process.execPath, runtimeDir })
    : createDenoProvider({ denoPath: await findDeno(), runtimeDir })
