/** A flow's graph as mermaid text, for a README or a pull request. */
import type { FlowGraph, GraphNode } from './graph.ts'

/** Quoted in mermaid: only the quote itself and line ends need care. */
const quoted = (text: string): string =>
  `"${text.replaceAll('&', '#amp;').replaceAll('"', '#quot;').replaceAll(/\s+/g, ' ')}"`

const SHAPES: Readonly<Record<GraphNode['kind'], readonly [string, string]>> = {
  start: ['([', '])'],
  end: ['([', '])'],
  action: ['[', ']'],
  approval: ['{{', '}}'],
  branchone: ['{', '}'],
  branchall: ['[/', '\\]'],
  forloop: ['[[', ']]'],
  forloop_parallel: ['[[', ']]'],
  subflow: ['[(', ')]'],
  arm: ['[', ']'],
  failure_module: ['>', ']'],
}

const labelOf = ({ kind, label, target }: GraphNode): string => {
  const plain = kind === 'action' || kind === 'start' || kind === 'end' || kind === 'arm'
  const name = plain ? label : `${label} · ${kind.replaceAll('_', ' ')}`
  return target === null || target === label ? name : `${name}: ${target}`
}

export const toMermaid = ({ nodes, edges }: FlowGraph): string => {
  const names = new Map(nodes.map(({ id }, at) => [id, `n${at}`]))
  const lines = nodes.map((node) => {
    const [open, close] = SHAPES[node.kind]
    return `  ${names.get(node.id)}${open}${quoted(labelOf(node))}${close}`
  })
  const arrows = edges.map(({ from, to, label, isFailure }) => {
    const text = label === null ? '' : `|${quoted(label)}|`
    return `  ${names.get(from)} ${isFailure ? '-.->' : '-->'}${text} ${names.get(to)}`
  })
  return `flowchart TD\n${[...lines, ...arrows].join('\n')}\n`
}
