/**
 * Step inputs with their references [flows 3.2 to 3.6]. A text that is exactly one reference keeps the type of what it names;
 * inside a longer text a scalar is inserted as text. `$${` is an escaped `${`.
 */
import type { JobError } from '../job/job-error.ts'
import { isJsonObject, type JsonValue } from '../json/value.ts'
import { type FlowData, type Found, failed, found, lookUp, type Reference } from './data.ts'
import { MAX_INPUT_BYTES, tooLarge } from './data-size.ts'
import { PATH, parsePath } from './value-path.ts'

/** `${root.path}`; a quoted step of the path may contain braces. */
const REFERENCE = new RegExp(String.raw`\$?\$\{\s*([A-Za-z_]\w*)(${PATH})\s*\}|\$?\$\{`, 'gu')

type Piece = string | Reference

type Parsed =
  | Readonly<{ pieces: readonly Piece[]; fault: null }>
  | Readonly<{ pieces: null; fault: string }>

/** Returns the references of a text, and the texts between them. */
export const parseTemplate = (text: string): Parsed => {
  const pieces: Piece[] = []
  let at = 0
  for (const match of text.matchAll(REFERENCE)) {
    const [whole, root, pathText = ''] = match
    if (match.index > at) pieces.push(text.slice(at, match.index))
    at = match.index + whole.length
    if (whole.startsWith('$$')) pieces.push(whole.slice(1))
    else if (root === undefined) {
      return {
        pieces: null,
        fault: `${text.slice(match.index, match.index + 60)} is not a reference.`,
      }
    } else {
      const path = parsePath(pathText)
      if (path === null) return { pieces: null, fault: `${whole} is not a reference.` }
      pieces.push({ root, path, text: root + pathText })
    }
  }
  if (at < text.length) pieces.push(text.slice(at))
  return { pieces, fault: null }
}

/** A parsed template, which returns the input for the data of a step or of one item. */
export type CompiledTemplate = (data: FlowData) => Found

/** A value that is the same for all data, or the function that computes it. */
type Part = Readonly<{ value: JsonValue; resolve: null }> | Readonly<{ resolve: CompiledTemplate }>

/** Parses a template once, for the many items of a loop. Items share the parts without references. */
export const compileTemplate = (template: JsonValue): CompiledTemplate => {
  const part = compilePart(template)
  return part.resolve ?? (() => found(part.value))
}

const compilePart = (template: JsonValue): Part => {
  if (typeof template === 'string') {
    return template.includes('${')
      ? { resolve: compileText(template) }
      : { value: template, resolve: null }
  }
  if (typeof template !== 'object' || template === null) return { value: template, resolve: null }
  const parts = Object.values(template).map(compilePart)
  if (parts.every(({ resolve }) => resolve === null)) return { value: template, resolve: null }
  const resolveAll = resolveParts(parts)
  if (Array.isArray(template)) return { resolve: resolveAll }
  const keys = Object.keys(template)
  return {
    resolve: (data) => {
      const { value, error } = resolveAll(data)
      if (error !== null) return { value: null, error }
      return found(Object.fromEntries(keys.map((key, at) => [key, value[at] ?? null])))
    },
  }
}

type FoundList =
  | Readonly<{ value: readonly JsonValue[]; error: null }>
  | Readonly<{ value: null; error: JobError }>

/** Resolves the references before it copies the rest, because each item of a loop may fail at one. */
const resolveParts = (parts: readonly Part[]): ((data: FlowData) => FoundList) => {
  const constants = parts.map((part) => (part.resolve === null ? part.value : null))
  const changing = parts.flatMap(({ resolve }, at) => (resolve === null ? [] : [{ at, resolve }]))
  return (data) => {
    const resolved: JsonValue[] = []
    for (const { resolve } of changing) {
      const one = resolve(data)
      if (one.error !== null) return one
      resolved.push(one.value)
    }
    const value = [...constants]
    for (const [index, { at }] of changing.entries()) value[at] = resolved[index] ?? null
    return { value, error: null }
  }
}

/** Returns an input with every reference replaced by its value. */
export const resolveTemplate = (template: JsonValue, data: FlowData): Found =>
  compileTemplate(template)(data)

const compileText = (text: string): CompiledTemplate => {
  const { pieces, fault } = parseTemplate(text)
  return pieces === null
    ? () => failed('BadReference', fault)
    : (data) => resolvePieces(pieces, data)
}

const resolvePieces = (pieces: readonly Piece[], data: FlowData): Found => {
  const [only, ...others] = pieces
  if (only !== undefined && typeof only !== 'string' && others.length === 0) {
    return lookUp(data, only)
  }
  let joined = ''
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      joined += piece
      continue
    }
    const one = lookUp(data, piece)
    if (one.error !== null) return one
    if (typeof one.value === 'object' && one.value !== null) {
      return failed(
        'BadReference',
        `\${${piece.text}} is not a single value, so it cannot be part of a text.`,
      )
    }
    joined += String(one.value)
    // each piece may be as long as a result, so they are not joined beyond what an input may have
    if (joined.length > MAX_INPUT_BYTES) {
      const { name, message } = tooLarge('A text of an input', MAX_INPUT_BYTES)
      return failed(name, message)
    }
  }
  return found(joined)
}

/** Returns all references of a template, in order. */
export const referencesOf = (template: JsonValue): readonly Reference[] => {
  if (typeof template === 'string') {
    return (parseTemplate(template).pieces ?? []).filter((piece) => typeof piece !== 'string')
  }
  if (Array.isArray(template)) return template.flatMap(referencesOf)
  return isJsonObject(template) ? Object.values(template).flatMap(referencesOf) : []
}

/** Returns the steps whose results references name. */
export const stepsIn = (references: readonly Reference[]): readonly string[] =>
  references.flatMap(({ root, path: [step] }) =>
    root === 'results' && typeof step === 'string' ? [step] : [],
  )

/** Returns the steps whose results a template names. @param keys of all steps, which `${results}` names */
export const referencedSteps = (
  template: JsonValue,
  keys: readonly string[],
): readonly string[] => {
  const references = referencesOf(template)
  const namesAll = references.some(({ root, path }) => root === 'results' && path.length === 0)
  return namesAll ? keys : stepsIn(references)
}
