/** Reads `--input`: literal JSON, `@file`, or `-` for standard input. */
import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { type JsonValue, parseJsonOrNull } from '#core/json/value.ts'
import { textOption } from './command-arguments.ts'
import { UsageError } from './exit.ts'
import { namedFile } from './named-file.ts'

export const inputOption = textOption(
  'Input: JSON object, @file, or - for standard input (default: {})',
)

const object = z.record(z.string(), z.json())

/** @param flag its name, for the message @throws {UsageError} the text is not a JSON object */
export const readInput = async (
  given: unknown,
  flag = 'input',
): Promise<z.infer<typeof object>> => {
  if (given === undefined) return {}
  const typed = String(given)
  const json = typed === '-' ? await text(process.stdin) : await readGiven(typed)
  const parsed = object.safeParse(parseJsonOrNull(json))
  if (parsed.success) return parsed.data
  throw new UsageError(`--${flag} must be a JSON object, for example '{"name":"Ada"}'.`)
}

/** @param flag its name, for the message @throws {UsageError} the text is not JSON */
export const readJson = async (given: unknown, flag: string): Promise<JsonValue> => {
  const typed = String(given)
  const json = typed === '-' ? await text(process.stdin) : await readGiven(typed)
  const parsed = z.json().safeParse(parseJsonOrNull(json))
  if (json.trim() === 'null' || (parsed.success && parsed.data !== null)) return parsed.data ?? null
  throw new UsageError(`--${flag} must be JSON, for example '{"amount":20}'.`)
}

/** Returns the values of a flag that may be given several times. */
export const valuesOf = (given: unknown): readonly unknown[] => {
  if (given === undefined) return []
  return Array.isArray(given) ? given : [given]
}

const readGiven = async (typed: string): Promise<string> =>
  // programs of Windows begin a file with a byte order mark, which JSON does not allow
  typed.startsWith('@')
    ? (await readFile(namedFile(typed.slice(1)), 'utf8')).replace(/^\uFEFF/, '')
    : typed
