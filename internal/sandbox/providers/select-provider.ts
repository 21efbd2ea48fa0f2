/** Selects the strongest provider whose probe succeeds, and refuses one below the isolation level that the operator requires. */
import { lookup } from 'node:dns/promises'
import { statSync } from 'node:fs'
import process from 'node:process'
import { AppError, unavailable } from '#core/error.ts'
import { type IsolationLevel, meetsLevel } from '#core/placement/isolation-level.ts'
import { createEgressProxy } from '../egress/proxy.ts'
import { createIsReserved, type Reserved } from '../egress/reserved.ts'
import type { IsReserved } from '../egress/resolve.ts'
import { findMachineFacts, findProgram } from '../linux/bubblewrap-args.ts'
import { openCgroups } from '../linux/cgroups.ts'
import { isExecutable } from '../linux/is-executable.ts'
import { NO_BUBBLEWRAP } from '../linux/remediation.ts'
import type { ProbeResult } from '../sandbox.ts'
import { createBubblewrapProvider } from './bubblewrap.ts'
import { createCommandProvider } from './command.ts'
import { createDenoProvider } from './deno.ts'
import { createNodeProvider } from './node.ts'
import type { Provider } from './provider.ts'

export type ProviderChoice = Readonly<{
  wanted: 'auto' | 'bubblewrap' | 'deno' | 'node' | 'command'
  minLevel: IsolationLevel
  /** A folder for the guest program. */
  runtimeDir: string
  findDeno: () => Promise<string>
  /** @default the path where systems install it; null if there is none */
  bwrapPath?: string | null
  /** The operator's own program, for `command`. @default none */
  command?: readonly string[] | undefined
  /** Arguments that make a single-file executable run as a guest. @default none: Node runs a file */
  nodeGuestArgs?: readonly string[] | undefined
  /** Places that stay closed to jobs, even with a grant. @default none */
  reserved?: Reserved
  /** Called when the process that proves a provider has started. */
  onProving?: () => void
}>

/** Decides which places no job may reach. */
const reservedOf = ({ reserved }: ProviderChoice): IsReserved =>
  createIsReserved(reserved ?? { ports: [], servers: [] }, lookUp)

const lookUp = async (host: string): Promise<readonly string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address)

export type SelectedProvider = Readonly<{ provider: Provider; probe: ProbeResult }>

type Opener = (choice: ProviderChoice) => Provider | Promise<Provider>

/**
 * `auto` takes bubblewrap, then Deno. It takes plain Node only if the operator allows jobs without
 * confinement by `minLevel: none`. The notes name the providers that were passed over.
 * @throws {AppError} unavailable: no provider reaches `minLevel`
 */
export const selectProvider = async (choice: ProviderChoice): Promise<SelectedProvider> => {
  const passedOver: string[] = []
  // several providers may note the same about this machine
  const noted = new Set<string>()
  for (const open of openersFor(choice)) {
    try {
      const { provider, probe } = await accept(await open(choice), choice, noted)
      return { provider, probe: { ...probe, notes: [...passedOver, ...probe.notes] } }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      passedOver.push(error.message)
    }
  }
  // two providers may lack the same runtime
  throw unavailable([...new Set(passedOver)].join(' '))
}

const openersFor = ({ wanted, minLevel }: ProviderChoice): readonly Opener[] => {
  switch (wanted) {
    case 'auto':
      return minLevel === 'none' ? [openBubblewrap, openDeno, openNode] : [openBubblewrap, openDeno]
    case 'bubblewrap':
      return [openBubblewrap]
    case 'deno':
      return [openDeno]
    case 'node':
      return [openNode]
    case 'command':
      return [openCommand]
  }
}

const accept = async (
  provider: Provider,
  { minLevel, onProving }: ProviderChoice,
  noted: Set<string>,
): Promise<SelectedProvider> => {
  const probing = provider.probe()
  onProving?.()
  const probed = await probing
  const probe = { ...probed, notes: probed.notes.filter((note) => !noted.has(note)) }
  for (const note of probe.notes) noted.add(note)
  if (!probe.ok) {
    throw unavailable(`The sandbox ${provider.name} does not work here. ${probe.notes.join(' ')}`)
  }
  if (!meetsLevel(probe.level, minLevel)) {
    throw unavailable(
      `The sandbox ${provider.name} gives level "${probe.level}", SVC_SANDBOX_MIN_LEVEL asks for "${minLevel}". Use a stronger sandbox or lower the level.`,
    )
  }
  return { provider, probe }
}

const openBubblewrap = async (choice: ProviderChoice): Promise<Provider> => {
  const { runtimeDir, findDeno, bwrapPath = findProgram('bwrap') } = choice
  if (bwrapPath === null) throw unavailable(NO_BUBBLEWRAP)
  return withDeno(findDeno, async (denoPath) =>
    createBubblewrapProvider({
      bwrapPath,
      denoPath,
      runtimeDir,
      egress: createEgressProxy({ isReserved: reservedOf(choice) }),
      cgroups: openCgroups(),
      facts: await findMachineFacts(bwrapPath, denoPath),
    }),
  )
}

const openCommand = async (choice: ProviderChoice): Promise<Provider> => {
  const { runtimeDir, findDeno, command = [] } = choice
  if (command.length === 0) {
    throw unavailable(
      'SVC_SANDBOX=command needs SVC_SANDBOX_COMMAND: the program that confines jobs, and its arguments.',
    )
  }
  const egress = createEgressProxy({ isReserved: reservedOf(choice) })
  return withDeno(findDeno, (denoPath) =>
    createCommandProvider({ words: command, denoPath, runtimeDir, egress }),
  )
}

const openNode = ({ runtimeDir, nodeGuestArgs }: ProviderChoice): Provider => {
  if ('deno' in process.versions) {
    throw unavailable('SVC_SANDBOX=node needs svc itself to run on Node.')
  }
  return createNodeProvider({
    nodePath: process.execPath,
    runtimeDir,
    ...(nodeGuestArgs === undefined ? {} : { guestArgs: nodeGuestArgs }),
  })
}

const openDeno: Opener = (choice) => {
  const { runtimeDir, findDeno } = choice
  const egress = createEgressProxy({ isReserved: reservedOf(choice) })
  return withDeno(findDeno, (denoPath) => createDenoProvider({ denoPath, runtimeDir, egress }))
}

/** @throws {Error} it is missing, or cannot be executed */
const checkProgram = (path: string): string => {
  if (statSync(path).isFile() && isExecutable(path)) return path
  throw new Error(`${path} is not a program`)
}

const withDeno = async (
  find: ProviderChoice['findDeno'],
  create: (denoPath: string) => Provider | Promise<Provider>,
): Promise<Provider> => {
  try {
    return await create(checkProgram(await find()))
  } catch (error) {
    throw error instanceof AppError ? error : noRuntime(error)
  }
}

const noRuntime = (cause: unknown): AppError => {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return unavailable(
    `The Deno runtime for jobs is not there: ${reason}. Set SVC_DENO_PATH to a Deno program, or unset it.`,
    { cause },
  )
}
