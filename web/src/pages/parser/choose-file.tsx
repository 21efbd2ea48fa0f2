/** The API key for the call, and the file, which can be selected or dropped anywhere on the page. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FileUp } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useFormat } from '../../language/format.ts'
import { useMessages } from '../../language/messages.ts'
import { balanceQuery } from '../../live/queries.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { useHeldApiKey } from '../../session/held-api-key.ts'
import { useMay } from '../../session/session.ts'
import { Button } from '../../ui/button.tsx'
import { CommandLine } from '../../ui/command-line.tsx'
import { TextField } from '../../ui/form/field.tsx'
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
  const [key, holdKey] = useHeldApiKey()
  const [fault, setFault] = useState<Fault | null>(null)
  const give = (file: File | undefined): void => {
    if (file === undefined) return
    const found = faultOf(file, key)
    setFault(found)
    if (found === null) onFile(file)
  }
  return (
    <div className="reading">
      <KeyField
        value={key}
        onChange={holdKey}
        fault={fault === 'needKey' ? t.needKey : undefined}
      />
      <DropField onFile={give} isBusy={isBusy} />
      {fault === null || fault === 'needKey' ? null : (
        <p role="alert" className="bad">
          {t[fault]}
        </p>
      )}
      {isBusy || error === null ? null : <ErrorState error={error} title={t.refused} />}
      <Price />
      <details className={styles.hint}>
        <summary>{t.command}</summary>
        <CommandLine
          command={`curl ${location.origin}/document-parser/registry -H "authorization: Bearer $SVC_API_KEY" -F file=@certificate.pdf`}
        />
      </details>
    </div>
  )
}

type KeyFieldProps = Readonly<{
  value: string
  onChange: (key: string) => void
  fault: string | undefined
}>

const KeyField = ({ value, onChange, fault }: KeyFieldProps) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const may = useMay()
  return (
    <div className="stack-1">
      <TextField
        isExact
        label={t.key}
        type="password"
        placeholder="ak_….…"
        hint={t.keyHint}
        fault={fault}
        isRequired
        value={value}
        onText={onChange}
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

/** Admins see the price; others see a general sentence. */
const Price = () => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const may = useMay()
  const { number } = useFormat()
  const { data } = useQuery({
    ...balanceQuery(api, ws),
    enabled: may('*'),
  })
  if (data?.prices.prepaid === false) return <p className={styles.hint}>{t.free}</p>
  return (
    <p className={styles.hint}>
      {t.price}{' '}
      {data === undefined
        ? null
        : t.costs(number(data.prices.registry_won), number(data.balance_won))}
    </p>
  )
}

/** Accepts dropped files anywhere on the page. Otherwise the browser would leave the console and open the file. */
const useDrop = (onFile: (file: File | undefined) => void): boolean => {
  const [isOver, setOver] = useState(false)
  const give = useEffectEvent(onFile)
  useEffect(() => {
    const onOver = (event: DragEvent): void => {
      event.preventDefault()
      setOver(true)
    }
    const onLeave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false)
    }
    const onDrop = (event: DragEvent): void => {
      event.preventDefault()
      setOver(false)
      give(event.dataTransfer?.files[0])
    }
    addEventListener('dragover', onOver)
    addEventListener('dragleave', onLeave)
    addEventListener('drop', onDrop)
    return () => {
      removeEventListener('dragover', onOver)
      removeEventListener('dragleave', onLeave)
      removeEventListener('drop', onDrop)
    }
  }, [])
  return isOver
}

const DropField = ({ onFile, isBusy }: DropFieldProps) => {
  const t = useMessages(messages)
  const input = useRef<HTMLInputElement>(null)
  const isOver = useDrop((file) => (isBusy ? undefined : onFile(file)))
  return (
    <div className={styles.drop} data-over={isOver ? '' : undefined}>
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
          // allow the same file to be selected again
          currentTarget.value = ''
        }}
      />
    </div>
  )
}
