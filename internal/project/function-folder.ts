/** The `functions/` folder on disk: build, dev and deploy read it, pull and templates write it. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type FunctionSource, readFunction } from '#bundle/function-files.ts'
import { runSteps } from '#bundle/steps.ts'
import { AppError, type ErrorDetail, unprocessable } from '#core/error.ts'
import { makeFolder } from '#disk/make-folder.ts'

const FOLDER = 'functions'
/** Matches files that editors and package managers leave behind. */
const IGNORED = /^(?:\.|node_modules$)|~$|\.swp$/

/** Returns the path of a function's folder. */
export const functionPath = (folder: string, name: string): string => join(folder, FOLDER, name)

/** Folders below `functions/`, by name. */
export const listFunctionNames = (folder: string): readonly string[] => {
  const root = join(folder, FOLDER)
  if (!existsSync(root)) return []
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !IGNORED.test(entry.name))
    .map(({ name }) => name)
    .toSorted()
}

const readFiles = (root: string, prefix = ''): readonly (readonly [string, Uint8Array])[] =>
  readdirSync(join(root, prefix), { withFileTypes: true }).flatMap((entry) => {
    if (IGNORED.test(entry.name)) return []
    const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`
    if (entry.isDirectory()) return readFiles(root, path)
    // links are skipped, because they could lead anywhere
    return entry.isFile() ? [[path, new Uint8Array(readFileSync(join(root, path)))] as const] : []
  })

/** Reads one function, with its faults. */
export const readOne = (folder: string, name: string) =>
  runSteps(readFunction(name, new Map(readFiles(functionPath(folder, name)))))

export type ReadFolder = readonly ReturnType<typeof readOne>[]

/** Reads the named functions of a folder, or all, with their faults. @throws {AppError} not_found: a name */
export const readNamed = (folder: string, names: readonly string[] = []): ReadFolder => {
  const known = listFunctionNames(folder)
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    const there = known.length === 0 ? 'It has no functions' : `It has ${known.join(', ')}`
    throw new AppError('not_found', `This folder has no function ${unknown.join(', ')}. ${there}.`)
  }
  return (names.length === 0 ? known : names).map((name) => readOne(folder, name))
}

/** Refuses the functions that have faults; null if none has. */
export const refuseFaulty = (read: ReadFolder): AppError | null => {
  const details = read.flatMap(({ faults }) => faults)
  return details.length === 0
    ? null
    : unprocessable('The functions have faults.', { code: 'bad_function', details })
}

/** The functions whose code can be bundled, those with faults too. */
export const sourcesOf = (read: ReadFolder): readonly FunctionSource[] =>
  read.flatMap(({ source }) => source ?? [])

/** Formats each fault as its message, in the wording of the reference, followed by the path. */
export const showMessages = (faults: readonly ErrorDetail[]): string =>
  faults.map(({ path, message }) => `${message} (${path})`).join('\n')

/** Formats each fault as the path, followed by its message in the wording of the reference. */
export const showFaults = (faults: readonly ErrorDetail[]): string =>
  faults.map(({ path, message }) => `${path}: ${message}`).join('\n')

/** @param files by path inside the function's folder */
export const writeFunction = (
  folder: string,
  name: string,
  files: ReadonlyMap<string, Uint8Array>,
): void => {
  for (const [path, bytes] of files) {
    const target = join(functionPath(folder, name), path)
    makeFolder(dirname(target))
    writeFileSync(target, bytes)
  }
}
