/** A flow's graph as mermaid text, for a README or a pull request. */
import type { FlowGraph, GraphNode } from './graph.ts'
import { DEFAULT_KIND, kindOf, type StepKindName } from './kinds.ts'

/** Quotes a text for mermaid, where only `&`, the quote and line ends need an escape. */
const quoted = (text: string): string =>
  `"${text.replaceAll('&', '#amp;').replaceAll('"', '#quot;').replaceAll(/\s+/g, ' ')}"`

/** Brackets of the nodes that are not steps. */
const SHAPES = {
  start: ['([', '])'],
  end: ['([', '])'],
  arm: ['[', ']'],
  undo: ['>', ']'],
  failure_module: ['>', ']'],
} as const

const isStep = (kind: GraphNode['kind']): kind is StepKindName => !(kind in SHAPES)

const labelOf = ({ kind, label, target }: GraphNode): string => {
  const plain = kind === DEFAULT_KIND || kind === 'start' || kind === 'end' || kind === 'arm'
  const name = plain ? label : `${label} · ${kind.replaceAll('_', ' ')}`
  return target === null || target === label ? name : `${name}: ${target}`
}

export const toMermaid = ({ nodes, edges }: FlowGraph): string => {
  const names = new Map(nodes.map(({ id }, at) => [id, `n${at}`]))
  const lines = nodes.map((node) => {
    const [open, close] = isStep(node.kind) ? kindOf({ kind: node.kind }).shape : SHAPES[node.kind]
    return `  ${names.get(node.id)}${open}${quoted(labelOf(node))}${close}`
  })
  const arrows = edges.map(({ from, to, label, isFailure }) => {
    const text = label === null ? '' : `|${quoted(label)}|`
    return `  ${names.get(from)} ${isFailure ? '-.->' : '-->'}${text} ${names.get(to)}`
  })
  return `flowchart TD\n${[...lines, ...arrows].join('\n')}\n`
}
