/** The deployed files of a function, read-only. */
import { getRouteApi } from '@tanstack/react-router'
import type { Schemas } from '#sdk/client.ts'
import { useMessages } from '../../../language/messages.ts'
import { CommandLine } from '../../../ui/command-line.tsx'
import { CodePanes } from '../code-panes.tsx'
import { textOf } from './call-function.ts'
import { messages } from './messages.ts'
import styles from './page.module.css'

const route = getRouteApi('/w/$ws/apps/$app/functions/$name')

const decode = (base64: string): string | null =>
  textOf(Uint8Array.from(atob(base64), (each) => each.codePointAt(0) ?? 0))

type FunctionCodeProps = Readonly<{ app: string; found: Schemas['Function'] }>

export const FunctionCode = ({ app, found: { files } }: FunctionCodeProps) => {
  const t = useMessages(messages)
  const { file, line } = route.useSearch()
  const navigate = route.useNavigate()
  const paths = Object.keys(files).sort()
  const path = paths.find((each) => each === file) ?? paths.find(isEntry) ?? paths[0] ?? ''
  return (
    <>
      <CodePanes
        paths={paths}
        open={path}
        text={decode(files[path] ?? '')}
        line={line ?? null}
        onOpen={(place) => void navigate({ search: { tab: 'code', ...place }, replace: true })}
      />
      <div className={styles.edit}>
        <p className="quiet">{t.edit}</p>
        <CommandLine command={`svc pull ${app} --dir ${app} && cd ${app} && svc dev`} />
      </div>
    </>
  )
}

const isEntry = (path: string): boolean => /(^|\/)index\.[cm]?[jt]sx?$/.test(path)
