/**
 * The text of a manifest, YAML or JSON, as a plain value with the line and column of every part. What YAML can express and JSON
 * cannot (tags, dates, merged or recursive structures) is refused, because a manifest is stored as JSON.
 */

import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
} from 'yaml'
import type { ErrorDetail } from '../error.ts'
import { limit } from '../limit.ts'
import { MAX_FAULTS } from './fault.ts'
import { explainYamlErrors } from './yaml-errors.ts'
import { findYamlFaults } from './yaml-faults.ts'

export type ManifestSource = Readonly<{
  value: unknown
  /** `12:5` for the part at `path`, or for its nearest ancestor that the text contains. */
  placeOf: (path: readonly PropertyKey[]) => string
  has: (path: readonly PropertyKey[]) => boolean
}>

export type SourceResult =
  | Readonly<{ ok: true; source: ManifestSource }>
  | Readonly<{ ok: false; faults: readonly ErrorDetail[] }>

/** The parser takes over a second for a hostile text of this length, so a server reads it on a thread. */
const MAX_LENGTH = limit(
  'app.manifest',
  131_072,
  'characters',
  'Text of `app.yaml` or `function.yaml`.',
)
/** Aliases multiply: a text of a kilobyte can expand to gigabytes. */
const MAX_ALIASES = limit('app.aliases', 50, 'items', 'Aliases (`*name`) in a YAML manifest.')
/** The parser searches all earlier anchors for each one. */
const MAX_ANCHORS = limit('app.anchors', 200, 'items', 'Anchors (`&name`) in a YAML manifest.')
const ANCHOR = /(?:^|[\s,[{:-])[&*][^\s,[\]{}]/g

/** No text of YAML or JSON needs such a line: a text of several lines is indented. */
const CONFLICT_MARK = /^<<<<<<< /m
const CONFLICT =
  'git marks a merge conflict here, from <<<<<<< to >>>>>>>. Keep the lines that you want, and delete the others and the marks.'

/** @param file its name, for the positions in faults; a name that ends in .json requires JSON */
export const readManifestSource = (text: string, file: string): SourceResult => {
  if (text.length > MAX_LENGTH) return refused(file, 'The manifest is larger than 128 KiB.')
  if ((text.match(ANCHOR)?.length ?? 0) > MAX_ANCHORS) {
    return refused(file, `The manifest has more than ${MAX_ANCHORS} anchors and aliases.`)
  }
  const conflict = text.search(CONFLICT_MARK)
  if (conflict !== -1) {
    const line = text.slice(0, conflict).split('\n').length
    return refused(`${file}:${line}:1`, CONFLICT)
  }
  const jsonFault = file.endsWith('.json') ? findJsonFault(text, file) : null
  if (jsonFault !== null) return { ok: false, faults: [jsonFault] }
  const lines = new LineCounter()
  const place = (offset: number, message: string): ErrorDetail => {
    const { line, col } = lines.linePos(offset)
    return { path: `${file}:${line}:${col}`, message }
  }
  try {
    const document = parseDocument(text, {
      lineCounter: lines,
      // both take quadratic time for a hostile text; instead one walk checks the keys, and positions are found by offset
      uniqueKeys: false,
      prettyErrors: false,
    })
    if (document.errors.some(({ message }) => STACK_OVERFLOW.test(message))) {
      return refused(file, TOO_DEEP)
    }
    const found =
      document.errors.length > 0
        ? explainYamlErrors(document.errors, text, lines)
        : findYamlFaults(document)
    if (found.length > 0) {
      const faults = found.slice(0, MAX_FAULTS)
      return { ok: false, faults: faults.map(({ offset, message }) => place(offset, message)) }
    }
    return { ok: true, source: toSource(document, lines) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    // the YAML parser recurses
    return refused(file, STACK_OVERFLOW.test(reason) ? TOO_DEEP : `${reason}.`)
  }
}

const refused = (path: string, message: string): SourceResult => ({
  ok: false,
  faults: [{ path, message }],
})

const findJsonFault = (text: string, file: string): ErrorDetail | null => {
  try {
    JSON.parse(text)
    return null
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const [, line = '1', column = '1'] = /\(line (\d+) column (\d+)\)/.exec(message) ?? []
    return { path: `${file}:${line}:${column}`, message: `${message.replace(/ \(line.*/, '')}.` }
  }
}

/** The YAML parser recurses, and a stack overflow has no error class of its own. */
const STACK_OVERFLOW = /call stack/
const TOO_DEEP = 'The manifest nests too deeply.'

const toSource = (document: Document, lines: LineCounter): ManifestSource => ({
  value: document.toJS({ maxAliasCount: MAX_ALIASES }),
  has: (path) => offsetOf(document, path) !== null,
  placeOf: (path) => {
    for (let length = path.length; length >= 0; length -= 1) {
      const offset = offsetOf(document, path.slice(0, length))
      if (offset === null) continue
      const { line, col } = lines.linePos(offset)
      return `${line}:${col}`
    }
    return '1:1'
  },
})

/** Returns where a value begins: at its key in a mapping, because the key names an unknown field. */
const offsetOf = (document: Document, path: readonly PropertyKey[]): number | null => {
  let at: Place | null = { node: document.contents, offset: startOf(document.contents) ?? 0 }
  for (const step of path) {
    at = stepInto(isAlias(at.node) ? at.node.resolve(document) : at.node, step)
    if (at === null) return null
  }
  return at.offset
}

type Place = Readonly<{ node: unknown; offset: number }>

const startOf = (node: unknown): number | undefined => (isNode(node) ? node.range?.[0] : undefined)

const stepInto = (node: unknown, step: PropertyKey): Place | null => {
  if (isMap(node)) {
    const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))
    return pair === undefined ? null : { node: pair.value, offset: startOf(pair.key) ?? 0 }
  }
  if (!isSeq(node) || typeof step !== 'number') return null
  const item = node.items[step]
  return isNode(item) ? { node: item, offset: startOf(item) ?? 0 } : null
}
