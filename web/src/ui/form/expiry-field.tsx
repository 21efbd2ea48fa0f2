/** The lifetime of a new token or key. */
import { defineMessages, plural, useMessages } from '../../language/messages.ts'
import { SelectField } from './field.tsx'

const messages = defineMessages({
  days: {
    en: (n: number) => `In ${n} ${plural(n, 'day', 'days')}`,
    ko: (n: number) => `${n}일 후`,
  },
  never: { en: 'Never', ko: '만료 없음' },
})

const DAYS = [1, 7, 30, 90, 365] as const

export const USUAL_DAYS = 90

export type ExpiryFieldProps = Readonly<{
  /** Null if it never expires. */
  days: number | null
  onChange: (days: number | null) => void
}>

export const ExpiryField = ({ days, onChange }: ExpiryFieldProps) => {
  const t = useMessages(messages)
  return (
    <SelectField
      label={t.expires}
      value={days === null ? 'never' : String(days)}
      onChange={(value) => onChange(value === 'never' ? null : Number(value))}
      options={[
        ...DAYS.map((each) => ({ value: String(each), label: t.days(each) })),
        { value: 'never', label: t.never },
      ]}
    />
  )
}
