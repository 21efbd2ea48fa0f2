import { getRouteApi, Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useAssist } from '../../../assist/use-assist.ts'
import { isCommand } from '../../../browser/keys.ts'
import { isManifest } from '../../../draft/manifest-file.ts'
import { DetailPage } from '../../../kit/detail-page.tsx'
import { useMessages } from '../../../language/messages.ts'
import { useMay } from '../../../session/session.ts'
import { CodeEditor } from '../../../ui/code/code-editor.tsx'
import { languageOf } from '../../../ui/code/language-of.ts'
import { EmptyState, ErrorState } from '../../../ui/notice.tsx'
import { Page } from '../../../ui/page.tsx'
import { TimeAgo } from '../../../ui/time.tsx'
import type { FaultPlace } from '../fault-place.ts'
import { DraftActions } from './draft-actions.tsx'
import { FaultList, type Findings } from './fault-list.tsx'
import { FileTree } from './file-tree-view.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'
import { TryPanel } from './try-panel.tsx'
import { SavedMeanwhile, useDraft } from './use-draft.ts'

const route = getRouteApi('/w/$ws/drafts/$app')

export const DraftPage = () => {
  const t = useMessages(messages)
  const { ws, app } = route.useParams()
  const draft = useDraft(app)
  const trail = (
    <Link to="/w/$ws/drafts" params={{ ws }}>
      {t.drafts}
    </Link>
  )
  return (
    <DetailPage query={draft.query} title={app} trail={trail}>
      {() => <DraftEditor key={`${ws} ${app}`} draft={draft} trail={trail} />}
    </DetailPage>
  )
}

type Draft = ReturnType<typeof useDraft>
type Place = FaultPlace & Readonly<{ at: number }>

/** Saves by Ctrl+S, anywhere on the page. */
const useSaveKey = (save: () => void): void => {
  const act = useEffectEvent(save)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!isCommand(event, 's')) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}

const DraftEditor = ({ draft, trail }: Readonly<{ draft: Draft; trail: ReactNode }>) => {
  const t = useMessages(messages)
  const { app } = route.useParams()
  const { file, line } = route.useSearch()
  const navigate = route.useNavigate()
  const mayWrite = useMay()('drafts:write')
  const [findings, setFindings] = useState<Findings | null>(null)
  const [place, setPlace] = useState<Place | null>(
    file === undefined || line === undefined ? null : { file, line, column: 1, at: 0 },
  )
  const [isTrying, setTrying] = useState(false)
  const { files, edits, save } = draft
  const paths = Object.keys(files).sort()
  const open = paths.find((each) => each === file) ?? paths.find(isManifest) ?? paths[0]
  const assist = useAssist(mayWrite ? open : undefined)
  const isDirty = Object.keys(edits).length > 0
  const show = (path: string | undefined): void => {
    setPlace(null)
    void navigate({ search: path === undefined ? {} : { file: path }, replace: true })
  }
  const showPlace = (found: FaultPlace): void => {
    show(found.file)
    setPlace({ ...found, at: performance.now() })
  }
  useSaveKey(() => {
    if (mayWrite && isDirty && !save.isPending) save.mutate()
  })
  return (
    <Page
      title={app}
      isFilled
      trail={trail}
      about={
        <span role="status">
          {isDirty ? t.unsaved(Object.keys(edits).length) : <Saved draft={draft} />}
        </span>
      }
      actions={
        <DraftActions draft={draft} onChecked={setFindings} isTrying={isTrying} onTry={setTrying} />
      }
    >
      {save.error instanceof SavedMeanwhile ? (
        <p className={styles.warn} role="alert">
          {t.meanwhile(save.error.by)}
        </p>
      ) : save.error === null ? null : (
        <ErrorState error={save.error} title={t.notSaved} />
      )}
      <div className={styles.parts}>
        <FileTree
          files={files}
          edits={edits}
          open={open}
          onOpen={show}
          mayWrite={mayWrite}
          onChange={draft.changeFiles}
          onRename={draft.renameFile}
        />
        <div className={styles.editor}>
          {open === undefined ? (
            <div>
              <EmptyState title={t.empty} text={t.emptyText} />
            </div>
          ) : (
            <CodeEditor
              key={open}
              value={files[open] ?? ''}
              language={languageOf(open)}
              assist={assist}
              label={open}
              place={place?.file === open ? place : null}
              {...(mayWrite
                ? { onChange: (text: string) => draft.changeFiles({ [open]: text }) }
                : {})}
            />
          )}
        </div>
      </div>
      <FaultList
        findings={findings}
        files={paths}
        onClose={() => setFindings(null)}
        onOpen={showPlace}
      />
      {isTrying ? (
        <TryPanel
          draft={draft}
          file={open}
          onFaults={setFindings}
          onOpen={showPlace}
          onClose={() => setTrying(false)}
        />
      ) : null}
    </Page>
  )
}

const Saved = ({ draft: { query } }: Readonly<{ draft: Draft }>) => {
  const t = useMessages(messages)
  return query.data === undefined ? null : (
    <>
      {t.saved} · <TimeAgo at={query.data.updated_at} /> · {query.data.updated_by}
    </>
  )
}
