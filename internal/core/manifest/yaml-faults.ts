/** Finds what YAML can express and JSON cannot, and keys that cannot be kept, in one walk over the parsed text. */
import { type Document, isMap, isNode, isScalar, isSeq, type Node, type YAMLMap } from 'yaml'
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

export const findYamlFaults = (document: Document): readonly YamlFault[] => {
  // YAML 1.1 reads dates, merges and `no` as other types
  if (document.directives?.yaml.version === '1.1') {
    return [{ offset: 0, message: 'Leave out %YAML: manifests are YAML 1.2.' }]
  }
  return visit(document.contents, 0)
}

const visit = (node: unknown, depth: number): readonly YamlFault[] => {
  if (!isNode(node)) return []
  const fault = ownFault(node, depth)
  if (fault !== null) return [{ offset: node.range?.[0] ?? 0, message: fault }]
  if (isSeq(node)) return node.items.flatMap((item) => visit(item, depth + 1))
  if (!isMap(node)) return []
  return [...keyFaults(node), ...node.items.flatMap(({ value }) => visit(value, depth + 1))]
}

const ownFault = (node: Node, depth: number): string | null => {
  if (depth > MAX_JSON_DEPTH) return 'The manifest nests too deeply.'
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
