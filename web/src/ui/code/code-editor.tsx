/** A code editor, loaded when it is first shown. Tab moves to the next field. */
import { lazy, Suspense } from 'react'
import { loadPart } from '../../browser/load-part.ts'
import { Loading } from '../notice.tsx'
import type { CodeEditorProps } from './code-mirror.tsx'

const CodeMirror = lazy(async () => ({
  default: (await loadPart(() => import('./code-mirror.tsx'))).CodeMirror,
}))

export const CodeEditor = (props: CodeEditorProps) => (
  <Suspense fallback={<Loading />}>
    <CodeMirror {...props} />
  </Suspense>
)
