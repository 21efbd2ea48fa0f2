/** A labelled input with its hint and its fault, connected for screen readers. */
import { type ComponentProps, type ReactNode, useId } from 'react'
import { defineMessages, useMessages } from '../../language/messages.ts'
import { useServerSentence } from '../../language/use-server-sentence.ts'
import styles from './field.module.css'

const messages = defineMessages({
  blank: { en: 'Enter more than spaces.', ko: '공백 외의 글자를 입력하세요.' },
})

export type FieldProps = Readonly<{
  label: string
  hint?: ReactNode
  fault?: string | undefined
  isRequired?: boolean
  /** Renders the input with the properties that connect it to label, hint and fault. */
  children: (control: ControlProps) => ReactNode
}>

export type ControlProps = Readonly<{
  id: string
  className: string | undefined
  required: boolean
  'aria-describedby': string | undefined
  'aria-invalid': boolean
}>

export const Field = ({ label, hint, fault, isRequired = false, children }: FieldProps) => {
  const id = useId()
  const inOwnWords = useServerSentence()
  const described = [
    hint === undefined ? null : `${id}-hint`,
    fault === undefined ? null : `${id}-fault`,
  ].filter((each) => each !== null)
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
        {isRequired ? (
          <span className={styles.required} aria-hidden="true">
            {' *'}
          </span>
        ) : null}
      </label>
      {children({
        id,
        className: styles.control,
        required: isRequired,
        'aria-describedby': described.length === 0 ? undefined : described.join(' '),
        'aria-invalid': fault !== undefined,
      })}
      {hint === undefined ? null : (
        <span id={`${id}-hint`} className={styles.hint}>
          {hint}
        </span>
      )}
      {fault === undefined ? null : (
        <span id={`${id}-fault`} className={styles.fault} role="alert">
          {inOwnWords(fault)}
        </span>
      )}
    </div>
  )
}

export type TextFieldProps = Omit<FieldProps, 'children'> &
  Omit<ComponentProps<'input'>, 'id' | 'className' | 'required' | 'onChange'> &
  Readonly<{
    onText: (text: string) => void
    /** Whether the text is for machines, so that the browser neither completes nor corrects it. @default false */
    isExact?: boolean
  }>

const EXACT = { autoComplete: 'off', autoCapitalize: 'off', spellCheck: false } as const

/** The format of keys in addresses. It is the server's own check, applied in the browser first. */
export const KEY_SHAPE = { pattern: '[a-z0-9][a-z0-9\\-]*', maxLength: 63 } as const

/** Whether only spaces were typed where the server expects a text. A password may consist of spaces. */
const isBlank = ({ isRequired, type, value }: TextFieldProps): boolean =>
  isRequired === true && type === undefined && /^\s+$/.test(String(value))

export const TextField = (props: TextFieldProps) => {
  const t = useMessages(messages)
  const { label, hint, fault, isRequired = false, onText, isExact = false, ...input } = props
  return (
    <Field
      label={label}
      {...(hint === undefined ? {} : { hint })}
      fault={fault}
      isRequired={isRequired}
    >
      {(control) => (
        <input
          type="text"
          {...(isExact ? EXACT : {})}
          // the browser shows it if the text does not match the pattern
          {...(input.pattern !== undefined && typeof hint === 'string' ? { title: hint } : {})}
          {...input}
          {...control}
          ref={(element) => element?.setCustomValidity(isBlank(props) ? t.blank : '')}
          onChange={(event) => onText(event.target.value)}
        />
      )}
    </Field>
  )
}

export type SelectFieldProps = Omit<FieldProps, 'children'> &
  Readonly<{
    value: string
    onChange: (value: string) => void
    options: readonly Readonly<{ value: string; label: string }>[]
  }>

export const SelectField = ({ value, onChange, options, ...field }: SelectFieldProps) => (
  <Field {...field}>
    {(control) => (
      <select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    )}
  </Field>
)

export const CheckField = ({
  label,
  ...input
}: Readonly<{ label: string }> & ComponentProps<'input'>) => (
  <label className={styles.box}>
    <input type="checkbox" {...input} />
    {label}
  </label>
)
