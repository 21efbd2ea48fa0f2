/** Creates a token with a name, an expiry and scopes. Its text is shown once. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useKeptFields } from '../../form/use-kept-fields.ts'
import { ActionDialog } from '../../kit/dialog.tsx'
import { useLanguage } from '../../language/language.ts'
import { useMessages } from '../../language/messages.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { whoamiQuery } from '../../session/session.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { ExpiryField, USUAL_DAYS } from '../../ui/form/expiry-field.tsx'
import { CheckField, TextField } from '../../ui/form/field.tsx'
import { Loading } from '../../ui/notice.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import styles from './issue-token.module.css'
import { messages } from './messages.ts'
import { describedIn } from './scope-groups.ts'
import { ScopePicker } from './scope-picker.tsx'

export const useScopes = () => {
  const api = useApi()
  const language = useLanguage()
  return useQuery({
    queryKey: ['scopes'],
    queryFn: async ({ signal }) => (await api.get('/api/tokens/scopes', { signal })).items,
    staleTime: Number.POSITIVE_INFINITY,
    select: (items) => items.map((entry) => describedIn(language, entry)),
  })
}

type TokenDraft = Readonly<{
  label: string
  chosen: readonly string[]
  days: number | null
  isAdmin: boolean
}>

const START: TokenDraft = { label: '', chosen: [], days: USUAL_DAYS, isAdmin: false }

export const IssueToken = ({ onClose }: Readonly<{ onClose: () => void }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const scopes = useScopes()
  const { data: own } = useQuery(whoamiQuery(ws))
  const [{ label, chosen, days, isAdmin }, set, forget] = useKeptFields(`new token ${ws}`, START)
  const [isTried, setTried] = useState(false)
  const run = () =>
    api.post('/tokens', {
      body: {
        label: label.trim(),
        scopes: [...chosen],
        admin: isAdmin,
        ...(days === null ? {} : { expires_in_days: days }),
      },
    })
  const mayBeAdmin = own?.scopes.includes('*') ?? false
  return (
    <ActionDialog
      isWide
      isHeld
      onClose={onClose}
      title={t.issue}
      send={t.create}
      run={run}
      mayRun={() => {
        setTried(true)
        return chosen.length > 0
      }}
      touches={[[ws, 'tokens']]}
      onDone={forget}
      failed={t.notCreated}
      result={({ token }) => <IssuedToken text={token} onClose={onClose} />}
    >
      <div className={styles.two}>
        <TextField
          label={t.name}
          hint={t.nameHint}
          isRequired
          autoFocus
          maxLength={200}
          value={label}
          onText={(text) => set({ label: text })}
        />
        <ExpiryField days={days} onChange={(next) => set({ days: next })} />
      </div>
      {scopes.data === undefined || own === undefined ? (
        <Loading />
      ) : (
        <ScopePicker
          entries={scopes.data}
          own={own.scopes}
          chosen={chosen}
          onChange={(scopes) => set({ chosen: scopes })}
        />
      )}
      {isTried && chosen.length === 0 ? (
        <p role="alert" className="bad">
          {t.noScopes}
        </p>
      ) : null}
      {mayBeAdmin ? (
        <div>
          <CheckField
            label={t.asAdmin}
            checked={isAdmin}
            onChange={(event) => set({ isAdmin: event.target.checked })}
          />
          <p className={styles.hint}>{t.adminHint}</p>
        </div>
      ) : null}
    </ActionDialog>
  )
}

const IssuedToken = ({ text, onClose }: Readonly<{ text: string; onClose: () => void }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  // the command reads the token from the environment, so that it stays out of the shell's history
  const command = `curl -H "authorization: Bearer $SVC_TOKEN" ${location.origin}/api/w/${ws}/whoami`
  return (
    <ShownOnce title={t.theToken} secret={text} onClose={onClose}>
      <p>{t.use}</p>
      <CommandLine command={command} />
    </ShownOnce>
  )
}
