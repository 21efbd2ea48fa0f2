/**
 * How the files of functions are stored. A deployment writes the row of a function in one transaction, and triggers copy it, so
 * large files are kept among the sources before, and the row has their hashes.
 */
import { Buffer } from 'node:buffer'
import { type AppFiles, isVendored } from '#bundle/app-files.ts'
import { FUNCTIONS_FOLDER, type FunctionSource } from '#bundle/function-files.ts'
import type { AppAddress } from '#core/app-address.ts'
import { JsonText, joinFields } from '#core/json/text.ts'
import { type FunctionFiles, findFunctionFiles, type SizedFunction } from '#store/apps/functions.ts'
import type { SourceFile } from '#store/apps/source-files.ts'
import { loadSources } from '../deploy/keep-sources.ts'
import type { Deps } from '../deps.ts'
import { groupsOfSize } from '../portions/groups-of-size.ts'
import { takeTurn } from '../portions/take-turn.ts'

/** Bytes of the functions that are deployed together, up to which their rows contain their files. Older nodes read only those. */
const MAX_IN_ROWS = 1_048_576
/** Bytes of rows, or of files, that are read or encoded in one turn. */
const MAX_TURN_BYTES = 4_194_304
const MAX_TURN_ROWS = 200

type Sources = readonly Pick<FunctionSource, 'name' | 'files'>[]

const folderOf = (name: string): string => `${FUNCTIONS_FOLDER}${name}/`

/** Returns the files that are kept among the sources, by path in the app; empty if the rows contain them. */
export const filesApart = (functions: Sources): AppFiles => {
  let size = 0
  for (const { files } of functions) for (const bytes of files.values()) size += bytes.length
  if (size <= MAX_IN_ROWS) return new Map()
  return new Map(
    functions.flatMap(({ name, files }) =>
      [...files].map(([path, bytes]) => [`${folderOf(name)}${path}`, bytes] as const),
    ),
  )
}

/** Reads functions with their files in turns, some at a time. */
export async function* readFunctionFiles(
  { db }: Pick<Deps, 'db'>,
  at: AppAddress,
  functions: readonly SizedFunction[],
): AsyncGenerator<readonly FunctionFiles[]> {
  const least = MAX_TURN_BYTES / MAX_TURN_ROWS
  const sizeOf = ({ filesSize }: SizedFunction) => Math.max(filesSize, least)
  for (const some of groupsOfSize(functions, sizeOf, MAX_TURN_BYTES)) {
    yield await findFunctionFiles(
      db,
      at,
      some.map(({ name }) => name),
    )
    await takeTurn()
  }
}

/** Returns the own files of a function that are kept among the sources, by path in the app. */
const ownApart = ({
  name,
  sharedJson,
}: FunctionFiles): readonly Pick<SourceFile, 'path' | 'sha256'>[] => {
  const shared: Readonly<Record<string, string>> = JSON.parse(sharedJson)
  return Object.entries(shared)
    .filter(([path]) => path.startsWith(folderOf(name)) && !isVendored(path))
    .map(([path, sha256]) => ({ path, sha256 }))
}

const base64Of = ({ buffer, byteOffset, byteLength }: Uint8Array): JsonText =>
  new JsonText(`"${Buffer.from(buffer, byteOffset, byteLength).toString('base64')}"`)

/** Returns `{path: base64}`. The texts are not searched for characters to escape, which takes 50 ms for 20 MB. */
export const toFilesJson = async (files: AppFiles): Promise<JsonText> => {
  const fields: [string, JsonText][] = []
  for (const some of groupsOfSize([...files], ([, bytes]) => bytes.length, MAX_TURN_BYTES)) {
    for (const [path, bytes] of some) fields.push([path, base64Of(bytes)])
    await takeTurn()
  }
  return joinFields(Object.fromEntries(fields))
}

/** Returns the own files of a function, as `{path: base64}`. */
export const ownFilesJson = async (
  deps: Pick<Deps, 'db'>,
  stored: FunctionFiles,
): Promise<JsonText> => {
  const apart = ownApart(stored)
  if (apart.length === 0) return new JsonText(stored.filesJson)
  const folder = folderOf(stored.name)
  const contents = await loadSources(deps, apart)
  return toFilesJson(
    new Map([...contents].map(([path, bytes]) => [path.slice(folder.length), bytes])),
  )
}
