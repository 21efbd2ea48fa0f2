/** The key to call with, and the file: chosen, or dropped anywhere on the field. */
import { Link } from '@tanstack/react-router'
import { FileUp } from 'lucide-react'
import { type DragEvent, useRef, useState } from 'react'
import { useMessages } from '../../language/messages.ts'
import { useWorkspace } from '../../session/api.ts'
import { holdApiKey, useHeldApiKey } from '../../session/held-api-key.ts'
import { useMay } from '../../session/session.ts'
import { Button } from '../../ui/button.tsx'
import { CommandLine } from '../../ui/command-line.tsx'
import { TextField } from '../../ui/field.tsx'
import { ErrorState, Loading } from '../../ui/notice.tsx'
import styles from './choose-file.module.css'
import { messages } from './messages.ts'

const MOST_BYTES = 50 * 1_048_576

type ChooseFileProps = Readonly<{
  onFile: (file: File) => void
  isBusy: boolean
  error: Error | null
}>

type Fault = 'needKey' | 'notPdf' | 'tooLarge'

const faultOf = (file: File, key: string): Fault | null => {
  if (key.trim() === '') return 'needKey'
  if (file.type !== 'application/pdf' && !/\.pdf$/i.test(file.name)) return 'notPdf'
  return file.size > MOST_BYTES ? 'tooLarge' : null
}

export const ChooseFile = ({ onFile, isBusy, error }: ChooseFileProps) => {
  const t = useMessages(messages)
  const key = useHeldApiKey()
  const [fault, setFault] = useState<Fault | null>(null)
  const give = (file: File | undefined): void => {
    if (file === undefined) return
    const found = faultOf(file, key)
    setFault(found)
    if (found === null) onFile(file)
  }
  return (
    <div className={styles.form}>
      <KeyField value={key} fault={fault === 'needKey' ? t.needKey : undefined} />
      <DropField onFile={give} isBusy={isBusy} />
      {fault === null || fault === 'needKey' ? null : (
        <p role="alert" className={styles.fault}>
          {t[fault]}
        </p>
      )}
      {isBusy || error === null ? null : <ErrorState error={error} title={t.refused} />}
      <p className={styles.hint}>{t.price}</p>
      <details className={styles.hint}>
        <summary>{t.command}</summary>
        <CommandLine
          command={`curl ${location.origin}/document-parser/registry -H "authorization: Bearer $SVC_API_KEY" -F file=@certificate.pdf`}
        />
      </details>
    </div>
  )
}

const KeyField = ({ value, fault }: Readonly<{ value: string; fault: string | undefined }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const may = useMay()
  return (
    <div className={styles.key}>
      <TextField
        label={t.key}
        type="password"
        autoComplete="off"
        spellCheck={false}
        placeholder="ak_….…"
        hint={t.keyHint}
        fault={fault}
        isRequired
        value={value}
        onChange={(event) => holdApiKey(event.target.value)}
      />
      {may('*') ? (
        <Link to="/w/$ws/api-keys" params={{ ws }}>
          {t.makeKey}
        </Link>
      ) : (
        <p className={styles.hint}>{t.askKey}</p>
      )}
    </div>
  )
}

type DropFieldProps = Readonly<{ onFile: (file: File | undefined) => void; isBusy: boolean }>

const DropField = ({ onFile, isBusy }: DropFieldProps) => {
  const t = useMessages(messages)
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const onDrop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    if (!isBusy) onFile(event.dataTransfer.files[0])
  }
  return (
    // dropping is one more way; the button is the one for keys
    // biome-ignore lint/a11y/noStaticElementInteractions: see above
    <div
      className={styles.drop}
      data-over={isOver ? '' : undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      {isBusy ? (
        <Loading />
      ) : (
        <>
          <FileUp size={28} aria-hidden="true" />
          <Button look="primary" onClick={() => input.current?.click()}>
            {t.choose}
          </Button>
          <span className={styles.hint}>{t.drop}</span>
        </>
      )}
      <input
        ref={input}
        type="file"
        accept="application/pdf,.pdf"
        aria-label={t.file}
        hidden
        onChange={({ currentTarget }) => {
          onFile(currentTarget.files?.[0])
          // the same file may be chosen again
          currentTarget.value = ''
        }}
      />
    </div>
  )
}
