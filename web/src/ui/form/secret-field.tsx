/** A secret of several lines, such as a key. It is hidden while typed unless the user shows it, and the browser does not store it. */
import { useState } from 'react'
import { defineMessages, useMessages } from '../../language/messages.ts'
import { CheckField, Field, type FieldProps } from './field.tsx'
import styles from './secret-field.module.css'

const messages = defineMessages({ show: { en: 'Show', ko: '입력 내용 표시' } })

export type SecretFieldProps = Omit<FieldProps, 'children'> &
  Readonly<{ value: string; onChange: (value: string) => void; rows?: number }>

export const SecretField = ({ value, onChange, rows = 3, ...field }: SecretFieldProps) => {
  const t = useMessages(messages)
  const [isShown, setShown] = useState(false)
  return (
    <div className={styles.parts}>
      <Field {...field}>
        {(control) => (
          <textarea
            {...control}
            className={`${control.className} ${styles.text} ${isShown ? '' : styles.hidden}`}
            rows={rows}
            spellCheck={false}
            autoComplete="off"
            autoCapitalize="off"
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </Field>
      <CheckField
        label={t.show}
        checked={isShown}
        onChange={(event) => setShown(event.target.checked)}
      />
    </div>
  )
}
