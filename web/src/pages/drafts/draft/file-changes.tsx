/** The files that deploying the draft changes. Short diffs are open, long ones open on demand. */
import { useMemo, useState } from 'react'
import { useMessages } from '../../../language/messages.ts'
import { DiffView } from '../../../ui/code/diff-view.tsx'
import { diffOf, type FileChange, openDiffOf } from '../file-diff.ts'
import styles from './file-changes.module.css'
import { messages } from './messages.ts'

const HOWS = { added: 'fileAdded', changed: 'fileChanged', removed: 'fileRemoved' } as const

export const FileChanges = ({ files }: Readonly<{ files: readonly FileChange[] }>) => {
  const t = useMessages(messages)
  const title = files.length === 0 ? t.sameFiles : t.fileChanges(files.length)
  return (
    <section className={styles.files} aria-label={title}>
      <h3>{title}</h3>
      {files.map((file, at) => (
        <ChangedFile key={file.path} file={file} at={at} />
      ))}
    </section>
  )
}

const ChangedFile = ({ file, at }: Readonly<{ file: FileChange; at: number }>) => {
  const t = useMessages(messages)
  const first = useMemo(() => openDiffOf(file, at), [file, at])
  const [isOpen, setOpen] = useState(first !== undefined)
  const diff = useMemo(() => (isOpen ? (first ?? diffOf(file)) : first), [file, first, isOpen])
  return (
    <details
      className={styles.file}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <code>{file.path}</code> <span data-how={file.change}>{t[HOWS[file.change]]}</span>
        {diff == null ? null : (
          <span className={styles.counts}>
            <span className="good">+{diff.added}</span> <span className="bad">−{diff.removed}</span>
          </span>
        )}
      </summary>
      {!isOpen ? null : diff == null ? (
        <p className="quiet">{t.notText}</p>
      ) : (
        <DiffView label={t.fileDiff(file.path)} hunks={diff.hunks} />
      )}
    </details>
  )
}
