/** Completion and explanation of app.yaml from the manifest's JSON Schema. Pure. */
import type { Json } from '#sdk/mod.ts'
import type { CodeAssist } from '../ui/code/code-assist.ts'
import { descriptionOf, isNested, propertiesOf, schemasAt, valuesOf } from './schema-place.ts'
import { yamlPlace } from './yaml-place.ts'

const wordEnd = (text: string, at: number): number => {
  const rest = text.slice(at).search(/[^\w$./-]/)
  return rest === -1 ? text.length : at + rest
}

export const manifestAssist = (schema: Json): CodeAssist => ({
  suggest: (text, at) => {
    const place = yamlPlace(text, at)
    if (place === null) return null
    const { path, from, isValue, siblings } = place
    const parts = schemasAt(schema, path)
    if (isValue) {
      return { from, options: valuesOf(parts).map((label) => ({ label, kind: 'enum' })) }
    }
    const options = propertiesOf(schema, parts)
      .filter(({ key }) => !siblings.includes(key))
      .map(({ key, type, text: info, isRequired }) => ({
        label: key,
        kind: 'property' as const,
        detail: isRequired ? `${type} *` : type,
        ...(info === '' ? {} : { info }),
        apply: isNested(schemasAt(schema, [...path, key])) ? `${key}:` : `${key}: `,
      }))
    return { from, options }
  },
  explain: (text, at) => {
    const to = wordEnd(text, at)
    const place = yamlPlace(text, to)
    if (place === null || place.isValue || place.word === '' || text[to] !== ':') return null
    const found = schemasAt(schema, [...place.path, place.word])
    const description = descriptionOf(found)
    if (description === '') return null
    return { from: place.from, to, title: place.word, text: description }
  },
})
