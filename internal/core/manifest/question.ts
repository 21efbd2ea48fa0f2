/**
 * The YAML texts of an app, and inputs with their schemas, as values that a thread can receive, and their results as JSON values
 * that it can return. The parser takes over a second for a hostile manifest, so a server reads long texts on a separate thread.
 */

import { inputCheck } from '../action/input-schema.ts'
import type { DeployPolicy } from '../deploy/policy.ts'
import type { ErrorDetail } from '../error.ts'
import { type FunctionResult, parseFunctionYaml } from '../function/definition.ts'
import type { JsonValue } from '../json/value.ts'
import { type ManifestResult, parseManifest } from './manifest.ts'

export type AppText = Readonly<{ text: string; file: string; policy: DeployPolicy | null }>
export type FunctionText = Readonly<{ name: string; text: string; file: string }>
/** Results by file. */
export type FunctionResults = ReadonlyMap<string, FunctionResult>

export type ManifestQuestion =
  | Readonly<{ kind: 'app'; app: AppText }>
  | Readonly<{ kind: 'functions'; functions: readonly FunctionText[] }>
  | Readonly<{ kind: 'input'; schema: JsonValue; inputJson: string }>

export type ManifestAnswer =
  | Readonly<{ kind: 'app'; result: ManifestResult }>
  | Readonly<{ kind: 'functions'; results: readonly (readonly [file: string, FunctionResult])[] }>
  | Readonly<{ kind: 'input'; faults: readonly ErrorDetail[] }>

/** Characters that the parser reads within 30 ms, even if they are hostile. */
const SHORT_LENGTH = 2_048

/** Whether the texts are so long that reading them would block a server. An input comes here only if its check is long. */
export const isLong = (question: ManifestQuestion): boolean => {
  if (question.kind === 'input') return true
  const texts = question.kind === 'app' ? [question.app] : question.functions
  return texts.reduce((sum, { text }) => sum + text.length, 0) > SHORT_LENGTH
}

/** Reads the texts. It blocks: up to 10 µs for each character. */
export const answerQuestion = (question: ManifestQuestion): ManifestAnswer => {
  if (question.kind === 'app') {
    const { text, file, policy } = question.app
    return { kind: 'app', result: parseManifest(text, file, policy) }
  }
  if (question.kind === 'input') {
    const { schema, inputJson } = question
    return { kind: 'input', faults: inputCheck(schema)?.(JSON.parse(inputJson)) ?? [] }
  }
  const results = question.functions.map(
    ({ name, text, file }) => [file, parseFunctionYaml(name, text, file)] as const,
  )
  return { kind: 'functions', results }
}
