/** Finds what YAML can express and JSON cannot, and keys that cannot be kept, in one walk over the parsed text. */
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type YAMLMap,
} from 'yaml'
import { MAX_JSON_DEPTH } from '../json/depth.ts'

export type YamlFault = Readonly<{ offset: number; message: string }>

/** Tags of types that JSON has too. */
const PLAIN_TAGS = ['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map(
  (name) => `tag:yaml.org,2002:${name}`,
)

const isJsonScalar = (value: unknown): boolean =>
  value === null ||
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value))

/** @param start what a text cannot begin with unless it is in quotes */
export const quotesNeeded = (start: string): string =>
  `A text that begins with ${start} must be in quotes, such as "${start}…${start.endsWith('{') ? '}' : ''}".`

export const findYamlFaults = (document: Document): readonly YamlFault[] => {
  // YAML 1.1 reads dates, merges and `no` as other types
  if (document.directives?.yaml.version === '1.1') {
    return [{ offset: 0, message: 'Leave out %YAML: manifests are YAML 1.2.' }]
  }
  return visit(new Set(), document.contents, 0)
}

/** The names of the anchors before a node. */
type Anchors = Set<string>

const addAnchor = (anchors: Anchors, node: unknown): void => {
  if (isNode(node) && 'anchor' in node && node.anchor !== undefined) anchors.add(node.anchor)
}

const visit = (anchors: Anchors, node: unknown, depth: number): readonly YamlFault[] => {
  if (!isNode(node)) return []
  const fault = ownFault(anchors, node, depth)
  if (fault !== null) return [{ offset: node.range?.[0] ?? 0, message: fault }]
  addAnchor(anchors, node)
  if (isSeq(node)) return node.items.flatMap((item) => visit(anchors, item, depth + 1))
  if (!isMap(node)) return []
  return [
    ...keyFaults(node),
    ...node.items.flatMap(({ key, value }) => {
      addAnchor(anchors, key)
      return visit(anchors, value, depth + 1)
    }),
  ]
}

const ownFault = (anchors: Anchors, node: Node, depth: number): string | null => {
  if (depth > MAX_JSON_DEPTH) return 'The manifest nests too deeply.'
  if (isAlias(node) && !anchors.has(node.source)) return quotesNeeded('*')
  const tag = 'tag' in node ? node.tag : undefined
  if (tag !== undefined && !PLAIN_TAGS.includes(tag)) {
    return `The tag ${tag} has no meaning in a manifest. Remove it, or put a text that begins with ! in quotes.`
  }
  return isScalar(node) && !isJsonScalar(node.value)
    ? 'This value cannot be kept as JSON. Write it as a string in quotes.'
    : null
}

const keyFaults = ({ items }: YAMLMap): readonly YamlFault[] => {
  const known = new Set<string>()
  return items.flatMap(({ key }) => {
    if (!isNode(key)) return []
    const offset = key.range?.[0] ?? 0
    if (!isScalar(key)) {
      return [
        {
          offset,
          message: 'A key must be a plain text. Put a text that begins with { or [ in quotes.',
        },
      ]
    }
    const name = String(key.value)
    // a reader that assigns it sets a prototype, and zod leaves it out without a fault
    if (name === '__proto__') {
      return [{ offset, message: 'A key cannot be "__proto__". Choose another name.' }]
    }
    if (known.has(name)) return [{ offset, message: `The key "${name}" occurs twice.` }]
    known.add(name)
    return []
  })
}
