/**
 * Finds the data files that a module reads by its own place, such as `readFileSync(join(__dirname, 'page.html'))`. A bundle contains
 * them, and the guest returns them (sandbox/guest/io/own-files.ts). Pure.
 */
import { limit } from '#core/limit.ts'
import type { OpenedFiles } from './file-lookup.ts'
import { folderOf, joinPath } from './module-path.ts'
import { piecesOf } from './source-pieces.ts'
import type { Steps } from './steps.ts'

const MAX_BYTES = limit(
  'app.own_file_bytes',
  6 * 1_024 * 1_024,
  'bytes',
  'Data file that code reads by its own place (`__dirname`, `import.meta.url`).',
)

/** The import that registers the files of the importing module. */
export const OWN_FILES = 'svc:own-files'

const READS = /\breadFile(?:Sync)?\b/
const OWN_REQUIRE = /\b(?:const|let|var|function|class)\s+require\b/
/** The end of a text with the name of a file. It may follow `${__dirname}`. */
const NAME = /["'`}]([^"'`}\n\\]{1,200}\.[a-z][a-z0-9]{0,9})["'`]/gi
const CODE = /\.(?:[cm]?[jt]sx?|node|map)$/i

/** @param source of a module that uses its place @returns paths of files below the app, sorted */
export function* ownFilesOf(
  files: OpenedFiles,
  path: string,
  source: string,
): Steps<readonly string[]> {
  if (!READS.test(source) || OWN_REQUIRE.test(source)) return []
  const found = new Set<string>()
  for (const piece of piecesOf(source)) {
    const names = new Set(Array.from(piece.matchAll(NAME), ([, name = '']) => name))
    for (const name of names) {
      const file = joinPath(folderOf(path), name)
      if (file === null || CODE.test(file) || !files.has(file)) continue
      if ((files.peek(file)?.length ?? 0) <= MAX_BYTES) found.add(file)
    }
    yield
  }
  return [...found].sort()
}

/** The module that registers files. @param addressOf the address that the code computes for a path */
export const registerFiles = (
  paths: readonly string[],
  addressOf: (path: string) => string,
): string =>
  [
    ...paths.map(
      (path, at) => `import f${at} from ${JSON.stringify(`/${path}`)} with { type: 'bytes' }`,
    ),
    "const files = (globalThis[Symbol.for('svc.files')] ??= new Map())",
    ...paths.map((path, at) => `files.set(${JSON.stringify(addressOf(path))}, f${at})`),
  ].join('\n')
