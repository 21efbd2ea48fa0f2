/** What checking a draft found: faults, or warnings of what would be deployed but fail. Each links to its line. */
import { CircleAlert, CircleCheck, TriangleAlert, X } from 'lucide-react'
import type { ErrorDetail } from '#sdk/client.ts'
import { defineMessages, useMessages } from '../../../language/messages.ts'
import { useServerSentence } from '../../../language/use-server-sentence.ts'
import { IconButton } from '../../../ui/button.tsx'
import { type FaultPlace, placeOfFault } from '../fault-place.ts'
import { messages } from './messages.ts'
import styles from './page.module.css'

const own = defineMessages({ close: { en: 'Close', ko: '닫기' } })

export type Findings = Readonly<{
  /** An empty list means that the draft may be deployed. */
  faults: readonly ErrorDetail[]
  warnings?: readonly ErrorDetail[] | undefined
}>

type FaultListProps = Readonly<{
  /** Null before the check. */
  findings: Findings | null
  files: readonly string[]
  onOpen: (place: FaultPlace) => void
  onClose: () => void
}>

const Summary = ({ faults, warnings = [] }: Findings) => {
  const t = useMessages(messages)
  const [Icon, tone, text] =
    faults.length > 0
      ? ([CircleAlert, 'bad', t.faults(faults.length)] as const)
      : warnings.length > 0
        ? ([TriangleAlert, 'warn', t.warned(warnings.length)] as const)
        : ([CircleCheck, 'good', t.fine] as const)
  return (
    <>
      <Icon size={16} className={tone} aria-hidden="true" />
      <strong>{text}</strong>
    </>
  )
}

export const FaultList = ({ findings, files, onOpen, onClose }: FaultListProps) => {
  const t = useMessages(messages)
  const inOwnWords = useServerSentence()
  const { close } = useMessages(own)
  return (
    <div role="status" className={styles.found}>
      {findings === null ? null : (
        <section
          className={styles.faults}
          aria-label={t.check}
          data-bad={findings.faults.length > 0 ? '' : undefined}
        >
          <div className={styles.faultsHead}>
            <Summary {...findings} />
            <IconButton label={close} icon={<X size={15} />} onClick={onClose} />
          </div>
          {[...findings.faults, ...(findings.warnings ?? [])].map(({ path, message }) => {
            const place = placeOfFault(path, files)
            return place === null ? (
              <p key={`${path} ${message}`}>
                <code>{path}</code> {inOwnWords(message)}
              </p>
            ) : (
              <button
                key={`${path} ${message}`}
                type="button"
                className={styles.fault}
                onClick={() => onOpen(place)}
              >
                <code>{path}</code> {inOwnWords(message)}
              </button>
            )
          })}
        </section>
      )}
    </div>
  )
}
