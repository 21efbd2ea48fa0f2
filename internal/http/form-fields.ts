/** The fields of a form as a page, with what was typed and what is wrong with it. They work without a script. */
import { html } from 'hono/html'
import type { ErrorDetail } from '#core/error.ts'
import type { FormField } from '#core/flow/definition.ts'
import type { PageContent } from './page.ts'

export type TypedForm = Readonly<{
  form: readonly FormField[]
  /** As it was sent; empty at first. */
  typed: ReadonlyMap<string, string>
  /** Paths read `values.<key>`. */
  faults: readonly ErrorDetail[]
}>

const INPUT_TYPES = {
  text: 'text',
  number: 'number',
  email: 'email',
  date: 'date',
} as const

/** Of the field itself: a browser may ask for it before anything is sent. */
const attributes = ({ key, required }: FormField, fault: string | null) =>
  html`name="${key}" id="field-${key}"${required ? html` required` : ''}${fault === null ? '' : html` aria-invalid="true" aria-describedby="fault-${key}"`}`

const control = (field: FormField, value: string, fault: string | null): PageContent => {
  const { type, options = [], required } = field
  const given = attributes(field, fault)
  switch (type) {
    case 'textarea':
      return html`<textarea ${given} rows="5" maxlength="65536">${value}</textarea>`
    case 'select':
      return html`<select ${given}>${required ? '' : html`<option value=""></option>`}${options.map((option) => html`<option${option === value ? html` selected` : ''}>${option}</option>`)}</select>`
    case 'number':
      return html`<input ${given} type="number" step="any" value="${value}">`
    case 'boolean':
    case 'text':
    case 'email':
    case 'date':
      return html`<input ${given} type="${type === 'boolean' ? 'text' : INPUT_TYPES[type]}" maxlength="65536" value="${value}">`
  }
}

const faultText = (key: string, fault: string | null): PageContent =>
  fault === null ? html`` : html`<p class="fault" id="fault-${key}">${fault}</p>`

const fieldOf = ({ typed, faults }: TypedForm, field: FormField): PageContent => {
  const { key, label, type, required } = field
  const fault = faults.find(({ path }) => path === `values.${key}`)?.message ?? null
  const value = typed.get(key) ?? ''
  const shown = html`${label}${required ? '' : html` <span class="hint">(optional)</span>`}`
  if (type === 'boolean') {
    const isTicked = value !== '' && value !== 'false'
    // a box that must be ticked would make no of a question: it is never `required` to the browser
    return html`<label class="box"><input type="checkbox" name="${key}" id="field-${key}" value="true"${isTicked ? html` checked` : ''}> ${label}</label>${faultText(key, fault)}`
  }
  return html`<label for="field-${key}">${shown}</label>${control(field, value, fault)}${faultText(key, fault)}`
}

export const formFields = (typed: TypedForm): PageContent => {
  const summary =
    typed.faults.length === 0
      ? html``
      : html`<p class="fault" role="alert">Please mend what is marked below.</p>`
  return html`${summary}${typed.form.map((field) => fieldOf(typed, field))}`
}
