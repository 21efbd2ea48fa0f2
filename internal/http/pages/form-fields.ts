/** The fields of a form in a page, with what the person entered and what is wrong with it. They work without a script. */
import { html } from 'hono/html'
import type { ErrorDetail } from '#core/error.ts'
import type { FormField } from '#core/flow/approval/form-field.ts'
import type { PageContent } from './page.ts'
import type { Language } from './page-language.ts'

export type TypedForm = Readonly<{
  language: Language
  form: readonly FormField[]
  /** As sent; empty at first. */
  typed: ReadonlyMap<string, string>
  /** Paths are `values.<key>`. */
  faults: readonly ErrorDetail[]
}>

type Words = Readonly<{
  optional: string
  correct: string
  /** The rule's own message, or its translation. */
  fault: (field: FormField, typed: string, message: string) => string
}>

const KOREAN_FAULTS: Readonly<Record<FormField['type'], (field: FormField) => string>> = {
  text: () => '내용이 너무 깁니다.',
  textarea: () => '내용이 너무 깁니다.',
  number: () => '숫자를 입력하세요.',
  boolean: () => '예 또는 아니요로 답하세요.',
  email: () => '이메일 주소를 입력하세요.',
  date: () => '2026-01-31 형식으로 날짜를 입력하세요.',
  select: ({ options = [] }) => `다음 중 하나를 고르세요: ${options.join(', ')}`,
}

const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    optional: 'optional',
    correct: 'Please correct the marked fields.',
    fault: (_field, _typed, message) => message,
  },
  ko: {
    optional: '선택',
    correct: '아래에 표시된 항목을 고쳐 주세요.',
    fault: (field, typed) => (typed === '' ? '필수 항목입니다.' : KOREAN_FAULTS[field.type](field)),
  },
}

const INPUT_TYPES = {
  text: 'text',
  number: 'number',
  email: 'email',
  date: 'date',
} as const

/** Attributes for the field's rules, so that the browser checks it before it sends the form. */
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

const fieldOf = ({ language, typed, faults }: TypedForm, field: FormField): PageContent => {
  const { key, label, type, required } = field
  const t = WORDS[language]
  const value = typed.get(key) ?? ''
  const found = faults.find(({ path }) => path === `values.${key}`)
  const fault = found === undefined ? null : t.fault(field, value, found.message)
  const shown = html`${label}${required ? '' : html` <span class="hint">(${t.optional})</span>`}`
  if (type === 'boolean') {
    const isTicked = value === 'true' || value === 'on'
    // never `required`: a box that must be ticked would leave only one answer to the question
    return html`<label class="box"><input type="checkbox" name="${key}" id="field-${key}" value="true"${isTicked ? html` checked` : ''}> ${label}</label>${faultText(key, fault)}`
  }
  return html`<label for="field-${key}">${shown}</label>${control(field, value, fault)}${faultText(key, fault)}`
}

/** Fields that the form lacks, which only a program sends: there is no field to mark. */
const strayFaults = ({ form, faults }: TypedForm): readonly PageContent[] =>
  faults
    .filter(({ path }) => !form.some(({ key }) => path === `values.${key}`))
    .map(({ path, message }) => html`<p class="fault">${path} ${message}</p>`)

export const formFields = (typed: TypedForm): PageContent => {
  const summary =
    typed.faults.length === 0
      ? html``
      : html`<p class="fault" role="alert">${WORDS[typed.language].correct}</p>${strayFaults(typed)}`
  return html`${summary}${typed.form.map((field) => fieldOf(typed, field))}`
}
