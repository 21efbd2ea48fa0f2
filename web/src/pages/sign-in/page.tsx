import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { ApiError } from '#sdk/client.ts'
import { MAIN_ID } from '../../app/app-frame.tsx'
import { useMessages } from '../../language/messages.ts'
import { apiOf } from '../../session/api.ts'
import { forgetPerson } from '../../session/query-client.ts'
import { Button } from '../../ui/button.tsx'
import { CommandLine } from '../../ui/command-line.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { useErrorSentence } from '../../ui/notice.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'

const route = getRouteApi('/sign-in')

const codeOf = (error: unknown): string | null => (error instanceof ApiError ? error.code : null)

export const SignInPage = () => {
  const t = useMessages(messages)
  const sentence = useErrorSentence()
  const { next, ended = false } = route.useSearch()
  const router = useRouter()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState<string | null>(null)
  useEffect(() => {
    document.title = `${t.title} · svc`
  }, [t.title])
  const signIn = useMutation({
    mutationFn: () =>
      apiOf('').post('/api/auth/login', {
        body: { email, password, ...(code === null || code === '' ? {} : { code }) },
      }),
    onError: (error) => {
      if (codeOf(error) === 'two_factor_required') setCode('')
    },
    onSuccess: () => {
      // remove the data of the previously signed-in person
      forgetPerson()
      if (next === undefined) void router.navigate({ to: '/', replace: true })
      else router.history.replace(next)
    },
  })
  const config = useQuery({
    queryKey: ['config'],
    queryFn: ({ signal }) => apiOf('').get('/api/config', { signal }),
  })
  const byPassword = config.data?.password_login ?? true
  // like `next`, an address within the site and not within the console
  const wanted = encodeURIComponent(next ?? '/ui/')
  const fault =
    signIn.error === null || codeOf(signIn.error) === 'two_factor_required'
      ? undefined
      : sentence(signIn.error)
  return (
    <main className={styles.page} id={MAIN_ID} tabIndex={-1}>
      <div className={styles.box}>
        <h1 data-page-title tabIndex={-1}>
          {t.title}
        </h1>
        {ended ? <p role="status">{t.ended}</p> : null}
        {config.data?.oidc === true ? (
          <p>
            <a href={`/api/auth/oidc/login?next=${wanted}`}>{t.byProvider}</a>
          </p>
        ) : null}
        {byPassword ? (
          <form
            className="stack-3"
            onSubmit={(event) => {
              event.preventDefault()
              signIn.mutate()
            }}
          >
            <TextField
              label={t.email}
              type="email"
              autoComplete="username"
              autoFocus
              isRequired
              value={email}
              onText={setEmail}
            />
            <TextField
              label={t.password}
              type="password"
              autoComplete="current-password"
              isRequired
              value={password}
              onText={setPassword}
              fault={code === null ? fault : undefined}
            />
            {code === null ? null : (
              <TextField
                label={t.code}
                hint={t.codeHint}
                autoComplete="one-time-code"
                autoFocus
                isRequired
                maxLength={20}
                value={code}
                onText={setCode}
                fault={fault}
              />
            )}
            <Button type="submit" look="primary" disabled={signIn.isPending}>
              {t.signIn}
            </Button>
          </form>
        ) : null}
        <details className={styles.hint}>
          <summary>{t.first}</summary>
          <p>{t.firstText}</p>
          <CommandLine command="cat svc-data/initial-admin.txt" />
          <p>{t.noAccount}</p>
        </details>
      </div>
    </main>
  )
}
