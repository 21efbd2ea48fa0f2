/** The graph of a flow, loaded when it is first shown. Pages also have a list with the same content. */
import { lazy, Suspense } from 'react'
import { loadPart } from '../browser/load-part.ts'
import { Loading } from '../ui/notice.tsx'
import type { GraphProps } from './graph-canvas.tsx'

const GraphCanvas = lazy(async () => ({
  default: (await loadPart(() => import('./graph-canvas.tsx'))).GraphCanvas,
}))

export const FlowGraph = (props: GraphProps) => (
  <Suspense fallback={<Loading />}>
    <GraphCanvas {...props} />
  </Suspense>
)
