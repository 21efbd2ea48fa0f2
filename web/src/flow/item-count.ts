/**
 * Computes how many items a loop has, because the API counts only those that have begun. A list has its length; a reference
 * has the length of what it refers to (`.name`, `[0]`, `["a b"]`) [flows 3.3]. Pure.
 */
import type { Json } from '#sdk/mod.ts'
import { isObject } from '../ui/json-object.ts'
import type { FlowStep } from './definition.ts'

export type FlowData = Readonly<{
  input: Json
  /** The results of the steps so far, by key. */
  results: ReadonlyMap<string, Json>
}>

const PART = /\.([A-Za-z_][\w-]*)|\[(\d+)\]|\["([^"\\]+)"\]/g
const REFERENCE = /^\$\{\s*(input|results)((?:\.[A-Za-z_][\w-]*|\[\d+\]|\["[^"\\]+"\])*)\s*\}$/

const step = (value: Json | undefined, part: string): Json | undefined => {
  if (Array.isArray(value)) return value[Number(part)]
  return isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined
}

const lookUp = (text: string, { input, results }: FlowData): Json | undefined => {
  const [, root, path = ''] = REFERENCE.exec(text) ?? []
  if (root === undefined) return undefined
  const parts = [...path.matchAll(PART)].map(
    ([, name, index, quoted]) => name ?? index ?? quoted ?? '',
  )
  if (root === 'input') return parts.reduce(step, input)
  const [key = '', ...rest] = parts
  return rest.reduce(step, results.get(key))
}

/** @returns null if the step is not a loop or its list is not known */
export const itemCount = ({ items }: FlowStep, data: FlowData): number | null => {
  const list = typeof items === 'string' ? lookUp(items, data) : items
  return Array.isArray(list) ? list.length : null
}
