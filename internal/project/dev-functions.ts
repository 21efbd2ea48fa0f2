/** A folder's functions as `svc dev` keeps them in memory: each is bundled separately and has its own faults. */
import type { BundledEntry } from '#bundle/bundle-entries.ts'
import type { FileLookup } from '#bundle/file-lookup.ts'
import type { FunctionSource } from '#bundle/function-files.ts'
import { AppError, type ErrorDetail } from '#core/error.ts'
import { bundleWithPackages } from './bundle-with-packages.ts'
import { listFunctionNames, readOne } from './function-folder.ts'
import { readSharedFiles } from './shared-files.ts'

export type Loaded =
  | Readonly<{ source: FunctionSource; entry: BundledEntry }>
  | Readonly<{ faults: readonly ErrorDetail[] }>

export type LoadedEvent = Readonly<{ name: string; ms: number; faults: readonly ErrorDetail[] }>

export interface DevFunctions {
  /** Reads the named functions again, or all of them. */
  reload(names?: readonly string[]): Promise<void>
  find(name: string): Loaded | undefined
  names(): readonly string[]
}

const bundleOne = async (folder: string, name: string, shared: FileLookup): Promise<Loaded> => {
  const { source, faults } = readOne(folder, name)
  if (source === null || faults.length > 0) return { faults }
  try {
    const [bundled] = await bundleWithPackages(folder, [source], shared)
    if (bundled === undefined) throw new Error(`The function ${name} was not bundled.`)
    return bundled
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { faults: error.details ?? [{ path: name, message: error.message }] }
  }
}

/** Keeps the functions of a folder loaded. @param onLoaded called after each load */
export const createDevFunctions = (
  folder: string,
  onLoaded: (loaded: LoadedEvent) => void,
): DevFunctions => {
  const loaded = new Map<string, Loaded>()
  /** The last load of each function that exists. */
  const loads = new Map<string, symbol>()
  const load = async (name: string, shared: FileLookup): Promise<void> => {
    const before = performance.now()
    const mine = Symbol(name)
    loads.set(name, mine)
    const made = await bundleOne(folder, name, shared)
    // a later load has read newer files
    if (loads.get(name) !== mine) return
    loaded.set(name, made)
    const faults = 'faults' in made ? made.faults : []
    onLoaded({ name, ms: Math.round(performance.now() - before), faults })
  }
  return {
    reload: async (names) => {
      const present = listFunctionNames(folder)
      for (const name of [...loads.keys()].filter((each) => !present.includes(each))) {
        loads.delete(name)
        loaded.delete(name)
      }
      const wanted = names === undefined ? present : names.filter((name) => present.includes(name))
      if (wanted.length === 0) return
      const shared = readSharedFiles(folder)
      await Promise.all(wanted.map((name) => load(name, shared)))
    },
    find: (name) => loaded.get(name),
    names: () => [...loaded.keys()],
  }
}
