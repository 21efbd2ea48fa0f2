/** The form to change one's own password. The current password proves who is changing it. */
import { useState } from 'react'
import { ApiError } from '#sdk/client.ts'
import { useMessages } from '../../language/messages.ts'
import { useApi } from '../../session/api.ts'
import { useChange } from '../../session/use-change.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { FormColumn } from '../../ui/form/form-column.tsx'
import { ErrorState, useErrorSentence } from '../../ui/notice.tsx'
import { messages } from './messages.ts'

const NOTHING = { current: '', next: '', again: '' }

const statusOf = (error: Error | null): number | null =>
  error instanceof ApiError ? error.status : null

export const PasswordForm = ({ email }: Readonly<{ email: string }>) => {
  const t = useMessages(messages)
  const api = useApi()
  const sentence = useErrorSentence()
  const [fields, setFields] = useState(NOTHING)
  const [isTried, setTried] = useState(false)
  const change = useChange({
    change: () =>
      api.post('/api/auth/password', { body: { current: fields.current, new: fields.next } }),
    touches: [],
    done: t.changed,
    onDone: () => {
      setFields(NOTHING)
      setTried(false)
    },
  })
  const isSame = fields.next === fields.again
  const status = statusOf(change.error)
  const set = (name: keyof typeof NOTHING) => ({
    value: fields[name],
    onText: (text: string) => {
      change.reset()
      // password managers fill several fields at once
      setFields((known) => ({ ...known, [name]: text }))
    },
  })
  return (
    <FormColumn
      onSubmit={() => {
        setTried(true)
        if (isSame) change.run(undefined)
      }}
    >
      {/* for password managers: names the account */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      {change.error !== null && status !== 401 && status !== 400 ? (
        <ErrorState error={change.error} title={t.notChanged} />
      ) : null}
      <TextField
        label={t.current}
        type="password"
        autoComplete="current-password"
        isRequired
        fault={status === 401 ? sentence(change.error) : undefined}
        {...set('current')}
      />
      <TextField
        label={t.next}
        hint={t.nextHint}
        type="password"
        autoComplete="new-password"
        isRequired
        minLength={10}
        maxLength={200}
        fault={status === 400 ? sentence(change.error) : undefined}
        {...set('next')}
      />
      <TextField
        label={t.again}
        type="password"
        autoComplete="new-password"
        isRequired
        fault={isTried && !isSame ? t.differs : undefined}
        {...set('again')}
      />
      <div>
        <Button type="submit" look="primary" disabled={change.isBusy}>
          {t.change}
        </Button>
      </div>
    </FormColumn>
  )
}
