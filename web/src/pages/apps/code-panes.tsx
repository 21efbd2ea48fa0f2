/** Read-only view of the files of an app: their names, and the open file with lines that can be linked to. */
import { useId } from 'react'
import { defineMessages, useMessages } from '../../language/messages.ts'
import { CodeEditor } from '../../ui/code/code-editor.tsx'
import { languageOf } from '../../ui/code/language-of.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Loading } from '../../ui/notice.tsx'
import styles from './code-panes.module.css'

const messages = defineMessages({
  line: { en: 'Line', ko: '줄' },
  link: { en: 'Copy a link to this line', ko: '이 줄의 링크 복사' },
  binary: { en: 'This file is not text.', ko: '텍스트가 아닌 파일입니다.' },
})

export type CodePanesProps = Readonly<{
  paths: readonly string[]
  open: string
  /** The text of the open file: null if it is binary, undefined while it loads. */
  text: string | null | undefined
  line: number | null
  onOpen: (place: Readonly<{ file: string; line?: number }>) => void
}>

export const CodePanes = ({ paths, open, text, line, onOpen }: CodePanesProps) => {
  const t = useMessages(messages)
  return (
    <div className={styles.code}>
      <nav className={styles.files} aria-label={t.files}>
        {paths.map((path) => (
          <button
            key={path}
            type="button"
            className={styles.file}
            aria-current={path === open ? 'true' : undefined}
            onClick={() => onOpen({ file: path })}
          >
            {path}
          </button>
        ))}
      </nav>
      {text === undefined ? (
        <Loading />
      ) : text === null ? (
        <p className="quiet">{t.binary}</p>
      ) : (
        <div className={styles.text}>
          <LineField line={line} onLine={(next) => onOpen({ file: open, line: next })} />
          <CodeEditor
            key={open}
            value={text}
            language={languageOf(open)}
            label={open}
            line={line}
            onLine={(next) => onOpen({ file: open, line: next })}
          />
        </div>
      )}
    </div>
  )
}

type LineFieldProps = Readonly<{ line: number | null; onLine: (line: number) => void }>

/** A field to go to a line by keyboard. */
const LineField = ({ line, onLine }: LineFieldProps) => {
  const t = useMessages(messages)
  const id = useId()
  return (
    <div className={styles.line}>
      <label htmlFor={id}>{t.line}</label>
      <input
        id={id}
        type="number"
        min={1}
        value={line ?? ''}
        onChange={({ target: { valueAsNumber } }) => {
          if (valueAsNumber >= 1) onLine(Math.floor(valueAsNumber))
        }}
      />
      {line === null ? null : <CopyButton label={t.link} text={() => location.href} />}
    </div>
  )
}
