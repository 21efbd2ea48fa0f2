/** Writes shapes of bodies and responses as text, in the notation of TypeScript. */
import type { Description, Schema } from './description.ts'

/** Deeper parts are written as `…`: people read the page, and programs the document. */
const MAX_DEPTH = 5

const scalarOf = ({ type, format, enum: values, const: only }: Schema): string => {
  if (only !== undefined) return JSON.stringify(only)
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' | ')
  const types = type === undefined ? ['any'] : [type].flat()
  return types
    .map((each) => (each === 'string' && format !== undefined ? `string (${format})` : each))
    .join(' | ')
}

const noteOf = ({ description, default: preset }: Schema): string => {
  const notes = [
    ...(preset === undefined ? [] : [`default ${JSON.stringify(preset)}`]),
    ...(description === undefined ? [] : [description]),
  ]
  return notes.length === 0 ? '' : `  // ${notes.join('; ')}`
}

/** @returns lines */
const linesOf = (
  { resolve }: Pick<Description, 'resolve'>,
  given: Schema,
  depth: number,
): readonly string[] => {
  const found = resolve(given)
  const choices = found.anyOf ?? found.oneOf
  if (choices !== undefined) {
    const texts = choices.map((each) => linesOf({ resolve }, each, depth).join('\n'))
    return texts.join('\n| ').split('\n')
  }
  if (found.allOf !== undefined) {
    return found.allOf.flatMap((each) => linesOf({ resolve }, each, depth))
  }
  if (found.items !== undefined) {
    const [first = 'any', ...rest] = linesOf({ resolve }, found.items, depth)
    return rest.length === 0 ? [`${first}[]`] : [first, ...rest.slice(0, -1), `${rest.at(-1)}[]`]
  }
  const { properties, required = [] } = found
  if (properties === undefined) return [scalarOf(found)]
  if (depth >= MAX_DEPTH) return ['{ … }']
  const fields = Object.entries(properties).flatMap(([name, field]) => {
    const [first = '', ...rest] = linesOf({ resolve }, field, depth + 1)
    const head = `${name}${required.includes(name) ? '' : '?'}: ${first}`
    const note = noteOf({ ...resolve(field), ...field })
    return rest.length === 0 ? [`${head}${note}`] : [`${head}${note}`, ...rest]
  })
  return ['{', ...fields.map((line) => `  ${line}`), '}']
}

/** Writes a shape as an indented text. */
export const outlineOf = (description: Pick<Description, 'resolve'>, schema: Schema): string =>
  linesOf(description, schema, 0).join('\n')
