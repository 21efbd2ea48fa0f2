/**
 * Reads the functions of an app: one folder each under `functions/` [functions 2.1], with the hash that detects changes.
 * The server, `svc deploy` and `svc dev` share this code.
 */
import type { ErrorDetail } from '#core/error.ts'
import {
  defaultDefinition,
  type FunctionDefinition,
  parseFunctionYaml,
} from '#core/function/definition.ts'
import { FUNCTION_NAME } from '#core/key-patterns.ts'
import { limit } from '#core/limit.ts'
import type { FunctionResults, FunctionText } from '#core/manifest/question.ts'
import { type AppFiles, isVendored, pathFault } from './app-files.ts'
import { hashFiles } from './hash-files.ts'
import type { Steps } from './steps.ts'

export const FUNCTIONS_FOLDER = 'functions/'

export type FunctionSource = Readonly<{
  name: string
  definition: FunctionDefinition
  /** By path inside the function's folder. */
  files: AppFiles
  /** SHA-256 over every file's name and content, hex: it changes with code, function.yaml and file names [functions 2.8]. */
  hash: string
  /** A path of `files`. */
  entrypoint: string
}>

export type ReadFunctions = Readonly<{
  /** All whose code can be bundled, with those that have faults. */
  functions: readonly FunctionSource[]
  faults: readonly ErrorDetail[]
}>

const ENTRYPOINTS = ['index.ts', 'index.mts', 'index.js', 'index.mjs']
const METADATA = ['function.yaml', 'openapi.yaml']

/** A hostile YAML of this length takes seconds to parse, and an app can contain hundreds of such files. */
const MAX_METADATA_BYTES = limit(
  'function.metadata',
  262_144,
  'bytes',
  '`function.yaml` of all functions of an app together. More: 422.',
)
/** Limit of reported faults. A longer list does not help the reader. */
const MAX_FAULTS = 100

/** The message of [functions 2.3]; tools compare it, so the wording is fixed. */
const NO_METADATA =
  'Validation failed: multi-file function must include function.yaml or openapi.yaml'
const BAD_NAME = 'A function name has 1 to 63 letters, digits, - and _, and begins with neither.'
const NO_ENTRYPOINT = 'The function has no index.ts.'

/** Returns the files of each function, in the order of the names. */
const foldersIn = (files: AppFiles): readonly (readonly [name: string, files: AppFiles])[] => {
  const folders = new Map<string, Map<string, Uint8Array>>()
  for (const [path, bytes] of files) {
    // packages of a function count as shared files, so that its own hash does not depend on who fetched them
    if (!path.startsWith(FUNCTIONS_FOLDER) || isVendored(path)) continue
    const [name = '', ...rest] = path.slice(FUNCTIONS_FOLDER.length).split('/')
    // a file directly in functions/, such as a README, is not a function
    if (rest.length === 0) continue
    const folder = folders.get(name) ?? new Map<string, Uint8Array>()
    folder.set(rest.join('/'), bytes)
    folders.set(name, folder)
  }
  return [...folders].toSorted(([a], [b]) => (a < b ? -1 : 1))
}

const decode = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes)

const yamlPath = (name: string): string => `${FUNCTIONS_FOLDER}${name}/function.yaml`

/** Returns the function.yaml files that `readFunctions` parses, for a caller that parses them before. */
export const functionTexts = (files: AppFiles): readonly FunctionText[] => {
  const texts: FunctionText[] = []
  let metadataBytes = 0
  for (const [name, folder] of foldersIn(files)) {
    const yaml = folder.get('function.yaml')
    if (yaml === undefined) continue
    metadataBytes += yaml.length
    if (metadataBytes > MAX_METADATA_BYTES) break
    texts.push({ name, text: decode(yaml), file: yamlPath(name) })
  }
  return texts
}

/**
 * Reads all functions of an app.
 * @param files by path from the app's root
 * @param parsed results of `functionTexts`; a function.yaml without one is parsed here, which blocks
 */
export function* readFunctions(
  files: AppFiles,
  parsed: FunctionResults = new Map(),
): Steps<ReadFunctions> {
  const faults: ErrorDetail[] = []
  const functions: FunctionSource[] = []
  let metadataBytes = 0
  for (const [name, folder] of foldersIn(files)) {
    metadataBytes += folder.get('function.yaml')?.length ?? 0
    if (metadataBytes > MAX_METADATA_BYTES) {
      const message = 'The function.yaml files of all functions are together larger than 256 KiB.'
      faults.push({ path: yamlPath(name), message })
      break
    }
    const read = yield* readFunction(name, folder, parsed)
    yield
    faults.push(...read.faults.slice(0, MAX_FAULTS - faults.length))
    if (faults.length >= MAX_FAULTS) break
    if (read.source !== null) functions.push(read.source)
  }
  return { functions, faults }
}

type ReadFunction = Readonly<{
  /** Null if there is no code to bundle. With faults, it serves only to find those of its code. */
  source: FunctionSource | null
  faults: readonly ErrorDetail[]
}>

const layoutFaults = (name: string, files: AppFiles): readonly ErrorDetail[] => {
  const path = `${FUNCTIONS_FOLDER}${name}`
  const hasMetadata = METADATA.some((file) => files.has(file))
  const code = [...files.keys()].filter((file) => !METADATA.includes(file))
  return [
    ...(isName(name) ? [] : [{ path, message: BAD_NAME }]),
    ...(entrypointOf(files) === undefined ? [{ path, message: NO_ENTRYPOINT }] : []),
    ...(code.length > 1 && !hasMetadata ? [{ path, message: NO_METADATA }] : []),
  ]
}

const isName = (name: string): boolean => FUNCTION_NAME.test(name) && pathFault(name) === null

const entrypointOf = (files: AppFiles) => ENTRYPOINTS.find((path) => files.has(path))

/** Reads one function. @param files by path inside the function's folder @param parsed as in `readFunctions` */
export function* readFunction(
  name: string,
  files: AppFiles,
  parsed: FunctionResults = new Map(),
): Steps<ReadFunction> {
  const entrypoint = entrypointOf(files)
  const yaml = files.get('function.yaml')
  const file = yamlPath(name)
  const result =
    yaml === undefined
      ? ({ ok: true, definition: defaultDefinition(name) } as const)
      : (parsed.get(file) ?? parseFunctionYaml(name, decode(yaml), file))
  const faults = [...layoutFaults(name, files), ...(result.ok ? [] : result.faults)]
  if (entrypoint === undefined || !isName(name)) return { source: null, faults }
  const definition = result.ok
    ? result.definition
    : { ...defaultDefinition(name), network: result.network ?? null }
  const hash = yield* hashFiles(files)
  return { source: { name, definition, files, hash, entrypoint }, faults }
}
