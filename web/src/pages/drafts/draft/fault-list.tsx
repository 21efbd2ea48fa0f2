/** The faults that checking a draft found. Each links to its line. */
import { CircleAlert, CircleCheck, X } from 'lucide-react'
import type { ErrorDetail } from '#sdk/client.ts'
import { defineMessages, useMessages } from '../../../language/messages.ts'
import { useServerSentence } from '../../../language/use-server-sentence.ts'
import { IconButton } from '../../../ui/button.tsx'
import { type FaultPlace, placeOfFault } from '../fault-place.ts'
import { messages } from './messages.ts'
import styles from './page.module.css'

const own = defineMessages({ close: { en: 'Close', ko: '닫기' } })

type FaultListProps = Readonly<{
  /** Null before the check. An empty list means that the draft may be deployed. */
  faults: readonly ErrorDetail[] | null
  files: readonly string[]
  onOpen: (place: FaultPlace) => void
  onClose: () => void
}>

export const FaultList = ({ faults, files, onOpen, onClose }: FaultListProps) => {
  const t = useMessages(messages)
  const inOwnWords = useServerSentence()
  const { close } = useMessages(own)
  return (
    <div role="status" className={styles.found}>
      {faults === null ? null : (
        <section
          className={styles.faults}
          aria-label={t.check}
          data-bad={faults.length > 0 ? '' : undefined}
        >
          <div className={styles.faultsHead}>
            {faults.length === 0 ? (
              <CircleCheck size={16} className="good" aria-hidden="true" />
            ) : (
              <CircleAlert size={16} className="bad" aria-hidden="true" />
            )}
            <strong>{faults.length === 0 ? t.fine : t.faults(faults.length)}</strong>
            <IconButton label={close} icon={<X size={15} />} onClick={onClose} />
          </div>
          {faults.map(({ path, message }) => {
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
