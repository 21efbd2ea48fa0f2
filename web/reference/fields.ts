/** The fields of a form: one for each parameter, and for the body either one text or a field for each part. */
import { element } from './element.ts'
import type { Operation, Parameter, Schema } from './operation.ts'
import type { Body } from './request.ts'

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const hintOf = ({ description = '', schema }: Pick<Parameter, 'description' | 'schema'>) => {
  const preset = schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}`
  return [description, preset].filter((each) => each !== '').join('; ')
}

const choiceOf = (values: readonly unknown[], isRequired: boolean): HTMLSelectElement =>
  element(
    'select',
    {},
    ...(isRequired ? [] : [element('option', { value: '' }, '')]),
    ...values.map((value) => element('option', { value: String(value) }, String(value))),
  )

const fieldFor = (schema: Schema, isRequired: boolean): Field => {
  if (schema.enum !== undefined) return choiceOf(schema.enum, isRequired)
  if (schema.type === 'boolean') return choiceOf([true, false], isRequired)
  if (schema.format === 'binary') return element('input', { type: 'file' })
  return element('input', { autocomplete: 'off', placeholder: schema.format ?? '' })
}

const labelled = (name: string, field: Field, hint: string): HTMLLabelElement =>
  element('label', {}, name, element('small', {}, hint === '' ? '' : ` ${hint}`), field)

export type Fields = Readonly<{
  node: HTMLElement
  valueIn: (place: string, name: string) => string
  set: (place: string, name: string, value: string) => void
  body: () => Body
}>

type BodyFields = Readonly<{ nodes: readonly HTMLElement[]; read: () => Body }>

/** @param type content type with which the field's text is sent */
const textBody = (type: string, sample: string, isRequired: boolean): BodyFields => {
  const field = element('textarea', { value: sample, spellcheck: false })
  const label = labelled('Body', field, `${type}${isRequired ? '' : ', may be empty'}`)
  label.className = 'wide'
  return {
    nodes: [label],
    read: () => (field.value === '' ? { kind: 'none' } : { kind: 'text', type, text: field.value }),
  }
}

const valuesOf = (
  name: string,
  field: Field,
): readonly (readonly [name: string, value: string | File])[] => {
  if (field instanceof HTMLInputElement && field.type === 'file') {
    return [...(field.files ?? [])].map((file) => [field.multiple ? file.name : name, file])
  }
  return field.value === '' ? [] : [[name, field.value]]
}

/** Creates the fields of forms with files and of forms with texts only. */
const formBody = ({ type, schema }: NonNullable<Operation['body']>): BodyFields => {
  const { properties, required = [] } = schema
  const fields =
    properties === undefined
      ? [['files', element('input', { type: 'file', multiple: true }), ''] as const]
      : Object.entries(properties).map(([name, each]) => {
          const isRequired = required.includes(name)
          return [name, fieldFor(each, isRequired), isRequired ? '' : 'optional'] as const
        })
  const read = () => fields.flatMap(([name, field]) => valuesOf(name, field))
  return {
    nodes: fields.map(([name, field, hint]) => labelled(name, field, hint)),
    read: () => {
      if (type === 'multipart/form-data') return { kind: 'files', fields: read() }
      const texts = read().map(([name, value]) => [name, String(value)])
      return { kind: 'text', type, text: String(new URLSearchParams(texts)) }
    },
  }
}

const bodyFields = ({ body }: Operation, sample: string): BodyFields => {
  if (body === null) return { nodes: [], read: () => ({ kind: 'none' }) }
  const { type, isRequired, schema } = body
  if (type === 'multipart/form-data') return formBody(body)
  if (type === 'application/x-www-form-urlencoded' && schema.properties !== undefined) {
    return formBody(body)
  }
  // a webhook takes any body
  return textBody(type === '*/*' ? 'application/json' : type, sample, isRequired)
}

/** @param sample the initial text of the body */
export const createFields = (operation: Operation, sample: string): Fields => {
  const fields = new Map<string, Parameter & Readonly<{ field: Field }>>(
    operation.parameters.map((one) => {
      const isRequired = one.required === true
      return [`${one.in} ${one.name}`, { ...one, field: fieldFor(one.schema, isRequired) }] as const
    }),
  )
  const labels = [...fields.values()].map(({ field, ...one }) => {
    const optional = one.required === true ? '' : 'optional'
    return labelled(
      one.name,
      field,
      [optional, hintOf(one)].filter((each) => each !== '').join('; '),
    )
  })
  const body = bodyFields(operation, sample)
  return {
    node: element('div', { className: 'fields' }, ...labels, ...body.nodes),
    valueIn: (place, name) => fields.get(`${place} ${name}`)?.field.value.trim() ?? '',
    set: (place, name, value) => {
      const found = fields.get(`${place} ${name}`)
      if (found !== undefined) found.field.value = value
    },
    body: body.read,
  }
}
