/** Tests the connection to the repository with the values of the form. */
import { useMutation } from '@tanstack/react-query'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { useMessages } from '../../language/messages.ts'
import { useApi } from '../../session/api.ts'
import { Button } from '../../ui/button.tsx'
import { useErrorSentence } from '../../ui/notice.tsx'
import { type Credentials, type GitSourceDraft, toAuth } from './git-source-draft.ts'
import { formMessages } from './messages.ts'
import styles from './page.module.css'

type ProbeProps = Readonly<{
  draft: GitSourceDraft
  credentials: Credentials
  onFound: (branches: readonly string[], first: string | null) => void
}>

export const Probe = ({ draft, credentials, onFound }: ProbeProps) => {
  const t = useMessages(formMessages)
  const api = useApi()
  const sentence = useErrorSentence()
  const probe = useMutation({
    mutationFn: () => {
      const auth = toAuth(credentials, draft)
      const body = { url: draft.url.trim(), ...(auth === undefined ? {} : { auth }) }
      return api.post('/git-sources/probe', { body })
    },
    onSuccess: ({ reachable, branches, default_branch }) => {
      if (reachable) onFound(branches, default_branch)
    },
  })
  // stored credentials cannot be tested from here; a sync tests them
  if (credentials.kind === 'keep') return null
  const fault = probe.error === null ? probe.data?.error : sentence(probe.error)
  return (
    <div className={styles.probe}>
      <Button disabled={draft.url.trim() === '' || probe.isPending} onClick={() => probe.mutate()}>
        {t.probe}
      </Button>
      <span role="status">
        {probe.data?.reachable === true ? (
          <span className={styles.good}>
            <CircleCheck size={15} aria-hidden="true" />
            {t.reachable(probe.data.branches.length)}
          </span>
        ) : probe.data === undefined && probe.error === null ? null : (
          <span className={styles.bad}>
            <CircleAlert size={15} aria-hidden="true" />
            {t.unreachable}
            {fault === undefined ? '' : `: ${fault}`}
          </span>
        )}
      </span>
    </div>
  )
}
