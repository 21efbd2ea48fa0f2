/** What a git source follows, and the outcome of its last sync. */
import type { Schemas } from '#sdk/client.ts'
import { useFormat } from '../language/format.ts'
import { defineMessages, useMessages } from '../language/messages.ts'
import { SECOND_MS } from '../language/units.ts'
import { useServerSentence } from '../language/use-server-sentence.ts'
import { CommitId } from './commit-id.tsx'
import { Facts } from './facts.tsx'
import styles from './git-source-facts.module.css'
import { TimeAgo } from './time.tsx'

const messages = defineMessages({
  defaultBranch: { en: 'the repository’s default', ko: '저장소 기본 브랜치' },
  folder: { en: 'Folder', ko: '폴더' },
  root: { en: 'the whole repository', ko: '저장소 전체' },
  credentials: { en: 'Credentials', ko: '인증 정보' },
  kept: { en: 'stored, never shown', ko: '저장됨(표시하지 않음)' },
  none: { en: 'none', ko: '없음' },
  sync: { en: 'Automatic sync', ko: '자동 동기화' },
  every: { en: (time: string) => `every ${time}`, ko: (time: string) => `${time}마다` },
  last: { en: 'Last sync', ko: '마지막 동기화' },
  never: { en: 'never', ko: '없음' },
  lastError: { en: 'Last sync failed', ko: '마지막 동기화 실패' },
})

export const GitSourceFacts = ({ source }: Readonly<{ source: Schemas['GitSource'] }>) => {
  const t = useMessages(messages)
  const { duration } = useFormat()
  const toOwnLanguage = useServerSentence()
  const { auto_sync_s: every, last_sync_at: at } = source
  return (
    <>
      {source.last_error === null ? null : (
        <div className={styles.fault}>
          <strong>{t.lastError}</strong>
          <pre>{toOwnLanguage(source.last_error)}</pre>
        </div>
      )}
      <Facts
        facts={[
          [t.address, <code key="address">{source.url}</code>],
          [t.branch, source.branch ?? t.defaultBranch],
          [t.folder, source.path === '' ? t.root : source.path],
          [t.credentials, source.has_auth ? t.kept : t.none],
          [t.sync, every === null ? t.off : t.every(duration(every * SECOND_MS))],
          [t.last, at === null ? t.never : <TimeAgo key="last" at={at} />],
          [t.commit, <CommitId key="commit" commit={source.last_commit} />],
        ]}
      />
    </>
  )
}
