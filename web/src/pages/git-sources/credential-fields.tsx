/** The credentials of the repository: none, a token or a key. Typed text stays in this form only. */
import { useMessages } from '../../language/messages.ts'
import { SelectField, TextField } from '../../ui/form/field.tsx'
import { SecretField } from '../../ui/form/secret-field.tsx'
import type { Credentials, GitSourceDraft } from './git-source-draft.ts'
import { formMessages } from './messages.ts'
import styles from './page.module.css'

type CredentialFieldsProps = Readonly<{
  credentials: Credentials
  onChange: (credentials: Credentials) => void
  draft: GitSourceDraft
  change: (part: Partial<GitSourceDraft>) => void
  mayKeep: boolean
  hint: string | undefined
}>

const KINDS = ['keep', 'none', 'token', 'ssh_key'] as const

export const CredentialFields = (props: CredentialFieldsProps) => {
  const { credentials, onChange, draft, change, mayKeep, hint } = props
  const t = useMessages(formMessages)
  const labels = { keep: t.authKeep, none: t.authNone, token: t.authToken, ssh_key: t.authKey }
  return (
    <>
      <SelectField
        label={t.auth}
        {...(hint === undefined ? {} : { hint })}
        value={credentials.kind}
        onChange={(value) =>
          onChange({ kind: KINDS.find((kind) => kind === value) ?? 'none', secret: '' })
        }
        options={KINDS.filter((kind) => kind !== 'keep' || mayKeep).map((value) => ({
          value,
          label: labels[value],
        }))}
      />
      {credentials.kind === 'token' ? (
        <div className={styles.pair}>
          <TextField
            label={t.token}
            hint={t.tokenHint}
            isRequired
            type="password"
            autoComplete="new-password"
            value={credentials.secret}
            onText={(value) => onChange({ ...credentials, secret: value })}
          />
          <TextField
            isExact
            label={t.username}
            hint={t.usernameHint}
            maxLength={255}
            value={draft.username}
            onText={(value) => change({ username: value })}
          />
        </div>
      ) : null}
      {credentials.kind === 'ssh_key' ? (
        <>
          <SecretField
            label={t.privateKey}
            hint={t.privateKeyHint}
            isRequired
            rows={5}
            value={credentials.secret}
            onChange={(secret) => onChange({ ...credentials, secret })}
          />
          <TextField
            isExact
            label={t.knownHosts}
            hint={t.knownHostsHint}
            value={draft.knownHosts}
            onText={(value) => change({ knownHosts: value })}
          />
        </>
      ) : null}
    </>
  )
}
