/** The files of a function as they were deployed, to be read. */
import { useState } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { useMessages } from '../../../language/messages.ts'
import { CodeEditor } from '../../../ui/code-editor.tsx'
import { CommandLine } from '../../../ui/command-line.tsx'
import { languageOf } from '../../../ui/language-of.ts'
import { textOf } from './call-function.ts'
import { messages } from './messages.ts'
import styles from './page.module.css'

const decode = (base64: string): string | null =>
  textOf(Uint8Array.from(atob(base64), (each) => each.codePointAt(0) ?? 0))

type FunctionCodeProps = Readonly<{ app: string; found: Schemas['Function'] }>

export const FunctionCode = ({ app, found: { files } }: FunctionCodeProps) => {
  const t = useMessages(messages)
  const paths = Object.keys(files).sort()
  const [chosen, setChosen] = useState<string | null>(null)
  const path = paths.find((each) => each === chosen) ?? paths.find(isEntry) ?? paths[0] ?? ''
  const text = decode(files[path] ?? '')
  return (
    <>
      <div className={styles.code}>
        <nav className={styles.files} aria-label={t.files}>
          {paths.map((each) => (
            <button
              key={each}
              type="button"
              className={styles.file}
              aria-current={each === path ? 'true' : undefined}
              onClick={() => setChosen(each)}
            >
              {each}
            </button>
          ))}
        </nav>
        {text === null ? (
          <p className="quiet">{t.binaryFile}</p>
        ) : (
          <CodeEditor key={path} value={text} language={languageOf(path)} label={path} />
        )}
      </div>
      <div className={styles.edit}>
        <p className="quiet">{t.edit}</p>
        <CommandLine command={`svc pull ${app} --dir ${app} && cd ${app} && svc dev`} />
      </div>
    </>
  )
}

const isEntry = (path: string): boolean => /(^|\/)index\.[cm]?[jt]sx?$/.test(path)
