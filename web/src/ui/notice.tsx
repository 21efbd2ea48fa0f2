/** Shown instead of data: none yet, an error, or still loading. */
import { CircleAlert } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { ApiError } from '#sdk/client.ts'
import { SLOW_MS, StoppedWaiting } from '../browser/slow-requests.ts'
import { useLanguage } from '../language/language.ts'
import { defineMessages, useMessages } from '../language/messages.ts'
import { toRefusal } from '../language/server-sentence.ts'
import { useServerSentence } from '../language/use-server-sentence.ts'
import { Button } from './button.tsx'
import { CommandLine } from './command-line.tsx'
import styles from './notice.module.css'
import { AWAY_STATUSES, isPageOfProxy, offersRetry } from './retry.ts'

const messages = defineMessages({
  failed: { en: 'Could not load', ko: '불러오지 못했습니다' },
  refused: { en: 'You do not have access', ko: '접근 권한이 없습니다' },
  missing: { en: 'Not found', ko: '찾을 수 없습니다' },
  missingText: {
    en: 'It was deleted, or the address is wrong.',
    ko: '삭제되었거나 주소가 잘못되었습니다.',
  },
  unreachable: {
    en: 'Cannot reach the server. The page loads its data again when the server responds. If you were making a change, check whether it was made before you try again.',
    ko: '서버에 연결할 수 없습니다. 서버가 응답하면 데이터를 자동으로 다시 불러옵니다. 변경하던 중이었다면 반영되었는지 확인한 뒤 다시 시도하세요.',
  },
  foreign: {
    en: (status: number) => `A proxy in front of svc answered HTTP ${status}. Tell its operator.`,
    ko: (status: number) =>
      `svc 앞의 프록시가 HTTP ${status} 응답을 보냈습니다. 프록시 운영자에게 알려 주세요.`,
  },
  page: {
    en: 'A proxy in front of svc answered with a page of its own. Reload this page: the proxy may ask you to sign in.',
    ko: 'svc 앞의 프록시가 자체 페이지로 응답했습니다. 이 페이지를 새로 고치세요. 프록시가 로그인을 요구할 수 있습니다.',
  },
  signedOut: {
    en: 'Your session has ended. Sign in again in another tab, then try again here.',
    ko: '세션이 끝났습니다. 다른 탭에서 다시 로그인한 뒤 여기서 다시 시도하세요.',
  },
  missingRole: {
    en: 'Your role does not allow this. Ask a workspace admin.',
    ko: '내 역할로는 할 수 없습니다. 워크스페이스 관리자에게 요청하세요.',
  },
  superAdminsOnly: {
    en: 'Only super admins of the instance can do this.',
    ko: '인스턴스 최고 관리자만 할 수 있습니다.',
  },
  changedMeanwhile: {
    en: 'It was changed in another tab or by someone else meanwhile. Nothing was saved.',
    ko: '그 사이 다른 탭이나 다른 사람이 변경했습니다. 아직 저장하지 않았습니다.',
  },
  unexpected: {
    en: 'Something went wrong on this page. Reload it. If it happens again, report the text below.',
    ko: '이 페이지에서 예기치 않은 오류가 발생했습니다. 새로 고침해 보고, 계속되면 아래 내용을 알려 주세요.',
  },
  stopped: {
    en: 'The server did not respond, and you stopped waiting. Check whether the change was made before you try again.',
    ko: '서버 응답이 없어 요청을 중단했습니다. 변경이 반영되었는지 확인한 뒤 다시 시도하세요.',
  },
  slow: {
    en: 'The server has not responded yet. This page keeps trying.',
    ko: '아직 서버 응답이 없습니다. 자동으로 다시 시도합니다.',
  },
})

export type EmptyStateProps = Readonly<{
  title: string
  /** What the list is for, and the next step. */
  text: string
  /** A command to copy into a terminal. */
  command?: string
  children?: ReactNode
}>

export const EmptyState = ({ title, text, command, children }: EmptyStateProps) => (
  <div className={styles.empty}>
    <h2>{title}</h2>
    <p>{text}</p>
    {command === undefined ? null : <CommandLine command={command} />}
    {children}
  </div>
)

const isUnreached = (error: unknown): boolean =>
  error instanceof TypeError && /fetch|network|load/i.test(error.message)

/** Returns the server's message if there is one, in the reader's language. */
export const useErrorSentence = (): ((error: unknown) => string) => {
  const t = useMessages(messages)
  const language = useLanguage()
  return (error) => {
    if (error instanceof ApiError) {
      // without a code of svc, the message is the page of a proxy
      if (error.code === `http_${error.status}`) {
        if (isPageOfProxy(error)) return t.page
        return AWAY_STATUSES.includes(error.status) ? t.unreachable : t.foreign(error.status)
      }
      switch (error.code) {
        // without its cookie, the server would explain how programs send a token
        case 'unauthenticated':
          return t.signedOut
        case 'missing_scope':
          return t.missingRole
        // the server names headers, which a person does not send
        case 'precondition_failed':
          return t.changedMeanwhile
        case 'super_admin_only':
          return t.superAdminsOnly
        default:
          return toRefusal(error.code, error.message, language)
      }
    }
    if (error instanceof StoppedWaiting) return t.stopped
    return isUnreached(error) ? t.unreachable : t.unexpected
  }
}

/** Whether the text of an unexpected error helps the person who reports it. */
const hasOwnText = (error: unknown): error is Error =>
  error instanceof Error && !(error instanceof TypeError || error instanceof StoppedWaiting)

const FORBIDDEN = 403
const NOT_FOUND = 404

export type ErrorStateProps = Readonly<{
  error: unknown
  /** @default This could not be loaded */
  title?: string
  /** Offered only if it may help. Returns a promise if it takes a while. */
  onRetry?: () => unknown
}>

export const ErrorState = ({ error, title, onRetry }: ErrorStateProps) => {
  const t = useMessages(messages)
  const sentence = useErrorSentence()
  const inOwnWords = useServerSentence()
  const api = error instanceof ApiError ? error : null
  const isMissing = api?.status === NOT_FOUND
  return (
    <div className={styles.fault} role="alert">
      <h2>
        <CircleAlert size={16} aria-hidden="true" />
        {title ?? (isMissing ? t.missing : api?.status === FORBIDDEN ? t.refused : t.failed)}
      </h2>
      <p>{sentence(error)}</p>
      {isMissing && title === undefined ? <p>{t.missingText}</p> : null}
      {api !== null && api.details.length > 0 ? (
        <ul>
          {api.details.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              <code>{path}</code> {inOwnWords(message)}
            </li>
          ))}
        </ul>
      ) : null}
      {api === null ? (
        hasOwnText(error) && <code>{error.message}</code>
      ) : (
        <small>
          {api.code}
          {api.requestId === null ? '' : ` · ${t.request} ${api.requestId}`}
        </small>
      )}
      {onRetry !== undefined && offersRetry(error) ? <RetryButton onRetry={onRetry} /> : null}
    </div>
  )
}

/** Disabled while it tries, because the error stays in view meanwhile. */
const RetryButton = ({ onRetry }: Required<Pick<ErrorStateProps, 'onRetry'>>) => {
  const t = useMessages(messages)
  const [isBusy, setBusy] = useState(false)
  const retry = async (): Promise<void> => {
    setBusy(true)
    await onRetry()
    setBusy(false)
  }
  return (
    <Button disabled={isBusy} onClick={() => void retry()}>
      {t.retry}
    </Button>
  )
}

/** Shown only if loading takes noticeably long. */
export const Loading = () => {
  const t = useMessages(messages)
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <p className={styles.loading} role="status">
      {t.loading} {isSlow ? t.slow : null}
    </p>
  )
}
