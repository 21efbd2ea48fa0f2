/** Names of packages in the text of modules. Pure. */

/** `npm:name@version` or `npm:name@version/path`. */
export type NpmSpecifier = Readonly<{ name: string; version: string; subpath: string | undefined }>

const NAME = '(?:@[a-z0-9~-][a-z0-9._~-]*\\/)?[a-z0-9~_-][a-z0-9._~-]*'
const NPM = new RegExp(`^npm:\\/?(${NAME})(?:@([^/@\\s]+))?(?:\\/(.+))?$`, 'i')
const QUOTED = new RegExp(
  `(['"\`])(npm:\\/?)?(${NAME})((?:@[^/'"\`\\s]+)?)(?:\\/[^'"\`\\n]*)?\\1`,
  'gi',
)
const EXACT = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/

/** Parses an `npm:` specifier; null when it is malformed. A missing version is an empty text. */
export const parseNpmSpecifier = (specifier: string): NpmSpecifier | null => {
  const [, name, version = '', subpath] = NPM.exec(specifier) ?? []
  return name === undefined ? null : { name, version, subpath }
}

/** Whether a version is a single one, not a range or tag. */
export const isExactVersion = (version: string): boolean => EXACT.test(version)

/** Folder of a package that only an `npm:` specifier names. Each version has its own folder, so that they do not mix. */
export const npmFolder = ({ name, version }: NpmSpecifier): string =>
  `node_modules/.npm/${name.replace('/', '+')}@${version}/node_modules/${name}`

export type MentionedPackages = Readonly<{
  /** Names in any string: all that are imported, and perhaps more. */
  names: ReadonlySet<string>
  /** By `name@version`. */
  npm: ReadonlyMap<string, NpmSpecifier>
}>

const CODE = /\.(?:[cm]?[jt]s|[jt]sx)$/i

/** Whether a file is a module, whose text may name packages. */
export const isCode = (path: string): boolean => CODE.test(path)

/** Bytes that are searched at once, which takes up to 10 ms. */
const PART_BYTES = 262_144
/** Paths of an app are shorter, so this many bytes contain a mention on the border of two parts. */
const OVERLAP_BYTES = 1_024
const LINE_FEED = 0x0a

/** Divides a module at ends of lines, which no mention spans. Parts of a longer line overlap. */
const partsOf = function* (module: Uint8Array): Generator<string> {
  const decoder = new TextDecoder()
  let from = 0
  while (from < module.length) {
    const part = module.subarray(from, from + PART_BYTES)
    const isLast = from + part.length === module.length
    const lines = isLast ? part.length : part.lastIndexOf(LINE_FEED) + 1
    yield decoder.decode(lines === 0 ? part : part.subarray(0, lines))
    from += lines === 0 ? PART_BYTES - OVERLAP_BYTES : lines
  }
}

/**
 * Collects what modules may import: every string that has the form of a package's name.
 * @param pace lets other work run; it takes the characters that were searched
 */
export const mentionedPackages = async (
  modules: Iterable<Uint8Array>,
  pace: (characters: number) => Promise<void>,
): Promise<MentionedPackages> => {
  const names = new Set<string>()
  const npm = new Map<string, NpmSpecifier>()
  for (const module of modules) {
    for (const part of partsOf(module)) {
      for (const [, , scheme, name = '', version = ''] of part.matchAll(QUOTED)) {
        if (scheme === undefined) {
          if (version === '') names.add(name)
          continue
        }
        const found = { name, version: version.slice(1), subpath: undefined }
        npm.set(`${name}@${found.version}`, found)
      }
      await pace(part.length)
    }
  }
  return { names, npm }
}

/** Long enough for `import { a } from ` or the name of a function that is called. */
const BEFORE = 30

/** Returns the strings of a module that may name packages, in order, each with the characters before it. */
export const mentionsIn = (text: string): readonly string[] =>
  [...text.matchAll(QUOTED)].map(
    ({ 0: quoted, index }) => `${text.slice(Math.max(0, index - BEFORE), index)}${quoted}`,
  )
