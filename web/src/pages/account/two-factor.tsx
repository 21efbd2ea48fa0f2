/** The second factor: an authenticator app, set up by a QR code and a first code, and ten recovery codes. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { loadPart } from '../../browser/load-part.ts'
import { Loaded } from '../../kit/detail-page.tsx'
import { useMessages } from '../../language/messages.ts'
import { apiOf } from '../../session/api.ts'
import { queryClient } from '../../session/query-client.ts'
import { useChange } from '../../session/use-change.ts'
import { Button } from '../../ui/button.tsx'
import { CommandLine } from '../../ui/command-line.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { FormColumn } from '../../ui/form/form-column.tsx'
import { Loading, useErrorSentence } from '../../ui/notice.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { messages } from './two-factor-messages.ts'

const QrCode = lazy(async () => ({
  default: (await loadPart(() => import('../../ui/qr-code.tsx'))).QrCode,
}))

const QUERY_KEY = ['two-factor'] as const

/** Also names whether the account has a password. */
export const twoFactorQuery = queryOptions({
  queryKey: QUERY_KEY,
  queryFn: ({ signal }) => apiOf('').get('/api/auth/two-factor', { signal }),
})
const readAgain = (): void => void queryClient.invalidateQueries({ queryKey: QUERY_KEY })

export const TwoFactor = () => {
  const query = useQuery(twoFactorQuery)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const t = useMessages(messages)
  return (
    <div className="stack">
      <Loaded query={query}>
        {({ enabled, recovery_codes_left, has_password }) => {
          if (enabled) return <TurnOff left={recovery_codes_left ?? 0} />
          return has_password ? <SetUp onCodes={setCodes} /> : <p>{t.atProvider}</p>
        }}
      </Loaded>
      {codes === null ? null : (
        <ShownOnce
          title={t.recoveryCodes}
          secret={codes.join('\n')}
          onClose={() => {
            setCodes(null)
            readAgain()
          }}
        >
          <p>{t.recoveryText}</p>
        </ShownOnce>
      )}
    </div>
  )
}

/** A form with one field. */
type OneFieldProps = Readonly<{
  label: string
  hint?: string
  isPassword?: boolean
  send: string
  change: (text: string) => Promise<unknown>
  done?: string
}>

const OneField = ({ label, hint, isPassword = false, send, change, done }: OneFieldProps) => {
  const sentence = useErrorSentence()
  const [text, setText] = useState('')
  const changing = useChange({
    change,
    touches: [],
    ...(done === undefined ? {} : { done, onDone: readAgain }),
  })
  return (
    <FormColumn onSubmit={() => changing.run(text)}>
      <TextField
        label={label}
        {...(hint === undefined ? {} : { hint })}
        type={isPassword ? 'password' : 'text'}
        autoComplete={isPassword ? 'current-password' : 'one-time-code'}
        isRequired
        value={text}
        onText={(next) => {
          changing.reset()
          setText(next)
        }}
        fault={changing.error === null ? undefined : sentence(changing.error)}
      />
      <div>
        <Button type="submit" look="primary" disabled={changing.isBusy}>
          {send}
        </Button>
      </div>
    </FormColumn>
  )
}

const SetUp = ({ onCodes }: Readonly<{ onCodes: (codes: readonly string[]) => void }>) => {
  const t = useMessages(messages)
  const [offer, setOffer] = useState<Readonly<{ secret: string; uri: string }> | null>(null)
  const api = apiOf('')
  if (offer === null) {
    return (
      <>
        <p className="quiet">{t.about}</p>
        <OneField
          key="password"
          label={t.password}
          isPassword
          send={t.setUp}
          change={async (password) =>
            setOffer(await api.post('/api/auth/two-factor', { body: { password } }))
          }
        />
      </>
    )
  }
  return (
    <>
      <p>{t.scan}</p>
      <Suspense fallback={<Loading />}>
        <QrCode label={t.qrCode} text={offer.uri} />
      </Suspense>
      <p className="quiet">{t.orType}</p>
      <CommandLine command={offer.secret} />
      <OneField
        key="code"
        label={t.code}
        hint={t.codeHint}
        send={t.turnOn}
        change={async (code) => {
          const answer = await api.post('/api/auth/two-factor/confirm', { body: { code } })
          onCodes(answer.recovery_codes)
        }}
      />
    </>
  )
}

const TurnOff = ({ left }: Readonly<{ left: number }>) => {
  const t = useMessages(messages)
  return (
    <>
      <p>{t.isOn(left)}</p>
      <OneField
        label={t.code}
        hint={t.offHint}
        send={t.turnOff}
        change={(code) => apiOf('').post('/api/auth/two-factor/disable', { body: { code } })}
        done={t.turnedOff}
      />
    </>
  )
}
