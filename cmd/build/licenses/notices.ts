/** Collects the licence notices of the binary: each package inside it with its licence and the text of the licence. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Component, Notices } from '../../svc/license-notices.ts'
import { ALLOWED, PARTS, type Part, WITHOUT_TEXT } from './parts.ts'

const TEXTS = join(import.meta.dirname, 'texts')
const LICENSE_FILE = /^(?:licen[cs]e|copying|copyright|notice)/i

/** The console contains a few lines of Vite; the rest of its file is about programs that run only at the build. */
const ENDS: Readonly<Record<string, string>> = { vite: '\n# Licenses of bundled dependencies' }

const personShape = z.union([z.string(), z.looseObject({ name: z.string() })])
const packageShape = z.looseObject({
  name: z.string(),
  version: z.string(),
  license: z.string().default(''),
  author: personShape.optional(),
})
type Package = z.infer<typeof packageShape>

type Found = Omit<Component, 'texts'> & Readonly<{ texts: readonly string[] }>

/** @throws {Error} naming a licence that is not allowed */
const checkLicense = (name: string, license: string): void => {
  const named = license.replaceAll(/[()]/g, '').split(/ (?:AND|OR) /)
  const refused = named.filter((each) => !ALLOWED.has(each))
  if (refused.length === 0) return
  throw new Error(
    `${name} is inside svc under the licence "${refused.join('", "')}", which cmd/build/licenses/parts.ts does not allow. Replace the package.`,
  )
}

/** Line feeds alone, and no empty lines around, so that equal texts are found. */
const normalize = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[ \t]+$/gm, '')
    .replace(/^\n+/, '')
    .trimEnd()

const readOwn = (file: string): string => normalize(readFileSync(join(TEXTS, file), 'utf8'))

const standardText = ({ name, license, author }: Package): string => {
  const by = typeof author === 'string' ? author : author?.name
  return `${name}${by === undefined ? '' : ` by ${by}`} (package.json: "license": "${license}")\n\n${readOwn(`${license}.txt`)}`
}

const textsOf = (folder: string, found: Package): readonly string[] => {
  const { name } = found
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((file) => file.isFile() && LICENSE_FILE.test(file.name))
    .map((file) => file.name)
    .toSorted()
  if (WITHOUT_TEXT.has(name)) {
    if (files.length === 0) return [standardText(found)]
    throw new Error(
      `${name} has a licence text now. Remove it from WITHOUT_TEXT (cmd/build/licenses/parts.ts).`,
    )
  }
  if (files.length === 0) {
    throw new Error(
      `${name} is inside svc and has no licence text. Replace the package, or enter it in cmd/build/licenses/parts.ts.`,
    )
  }
  return files.map((file) => {
    const [text = ''] = readFileSync(join(folder, file), 'utf8').split(ENDS[name] ?? '\0')
    return normalize(text)
  })
}

const toFound = (owner: string, { name, texts, ...rest }: Part): Found => ({
  ...rest,
  name: `${owner}/${name}`,
  texts: texts.map(readOwn),
})

/** @param place the folder of a package, or a source of svc that contains the work of others */
const componentsAt = (place: string): readonly Found[] => {
  const source = Object.keys(PARTS).find((path) => place.endsWith(`/${path}`))
  const manifest = join(place, 'package.json')
  if (!existsSync(manifest)) {
    if (source === undefined) throw new Error(`${place} is inside svc, but it has no package.json.`)
    return (PARTS[source] ?? []).map((part) => toFound('pdfjs-dist', part))
  }
  const found = packageShape.parse(JSON.parse(readFileSync(manifest, 'utf8')))
  const { name, version, license } = found
  return [
    { name, version, license, texts: textsOf(place, found) },
    ...(PARTS[name] ?? []).map((part) => toFound(name, part)),
  ]
}

/**
 * Collects the notices. Equal texts are kept once.
 * @param places absolute: folders of packages, and sources of svc (places.ts)
 * @throws {Error} naming a package that has no licence text, or a licence that is not allowed
 */
export const collectNotices = (places: readonly string[]): Notices => {
  const found = new Map(
    places.flatMap(componentsAt).map((each) => [`${each.name} ${each.version ?? ''}`.trim(), each]),
  )
  const keys = [...found.keys()].toSorted()
  const texts: string[] = []
  const numberOf = (text: string): number => {
    const known = texts.indexOf(text)
    return known === -1 ? texts.push(text) - 1 : known
  }
  const components = keys.flatMap((key): readonly Component[] => {
    const each = found.get(key)
    if (each === undefined) return []
    checkLicense(key, each.license)
    return [{ ...each, texts: each.texts.map(numberOf) }]
  })
  return { components, texts }
}
