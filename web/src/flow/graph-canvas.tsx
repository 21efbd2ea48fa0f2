/**
 * The graph of a flow, drawn by React Flow. Each step is a button, in the order of the flow, so that Tab walks through
 * them. A flow that fits has its natural height, and the page scrolls. A larger one is moved within its frame.
 */
import {
  Background,
  type BuiltInEdge,
  Panel,
  ReactFlow,
  type ReactFlowInstance,
  useReactFlow,
  type Viewport,
} from '@xyflow/react'
import { Maximize, ZoomIn, ZoomOut } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import '@xyflow/react/dist/base.css'
import { useMessages } from '../language/messages.ts'
import { IconButton } from '../ui/button.tsx'
import type { FlowDefinition } from './definition.ts'
import styles from './graph.module.css'
import { type BoxNode, GraphBox, type StepState } from './graph-box.tsx'
import { type GraphLayout, layoutFlow } from './graph-layout.ts'
import { messages } from './messages.ts'

export type GraphProps = Readonly<{
  definition: FlowDefinition
  /** The states of a run's steps, by key; absent without a run. */
  states?: ReadonlyMap<string, StepState>
  selected: string | null
  onSelect: (step: string) => void
}>

const NODE_TYPES = { box: GraphBox }
/** Shorter than half the distance between two rows. */
const EDGE_PATH = { offset: 10, borderRadius: 8 }
const PADDING = 24
const MOST_HEIGHT = 680
/** Below this, the text is not readable. */
const LEAST_ZOOM = 0.7

/** Fits the whole graph, unless its text would become too small. */
const zoomToFit = ({ width, height }: GraphLayout, frameWidth: number): number =>
  Math.max(
    LEAST_ZOOM,
    Math.min(1, frameWidth / (width + 2 * PADDING), (MOST_HEIGHT - 2 * PADDING) / height),
  )

const isEqual = (one: Viewport, other: Viewport): boolean =>
  one.x === other.x && one.y === other.y && one.zoom === other.zoom

/** React Flow's own descriptions are English, and of nodes that can be selected and removed. */
const NO_DESCRIPTIONS = {
  'node.a11yDescription.default': '',
  'node.a11yDescription.keyboardDisabled': '',
  'edge.a11yDescription.default': '',
}

const NO_STATES: ReadonlyMap<string, StepState> = new Map()

type Instance = ReactFlowInstance<BoxNode, BuiltInEdge>

export const GraphCanvas = ({ definition, states = NO_STATES, selected, onSelect }: GraphProps) => {
  const t = useMessages(messages)
  const layout = useMemo(() => layoutFlow(definition), [definition])
  const frame = useRef<HTMLDivElement>(null)
  const [instance, setInstance] = useState<Instance | null>(null)
  const [zoom, setZoom] = useState(1)
  const height = Math.min(layout.height * zoom + 2 * PADDING, MOST_HEIGHT)
  const [isLarger, setLarger] = useState(false)
  useEffect(() => {
    const element = frame.current
    if (element === null || instance === null) return
    let placed: Viewport | null = null
    const place = (): void => {
      const { clientWidth } = element
      const fit = zoomToFit(layout, clientWidth)
      const x = (clientWidth - layout.width * fit) / 2
      const isTooLarge = layout.height * fit + 2 * PADDING > MOST_HEIGHT || x < 0
      setZoom(fit)
      setLarger(isTooLarge)
      // a place that a person has moved to is kept, except where the graph can no longer be moved
      if (placed !== null && isTooLarge && !isEqual(placed, instance.getViewport())) return
      placed = { x: x < 0 ? PADDING : x, y: PADDING, zoom: fit }
      void instance.setViewport(placed)
    }
    place()
    const observer = new ResizeObserver(place)
    observer.observe(element)
    return () => observer.disconnect()
  }, [instance, layout])
  const nodes = useMemo(
    () =>
      layout.nodes.map(
        (node): BoxNode => ({
          id: node.id,
          type: 'box',
          position: { x: node.x, y: node.y },
          width: node.width,
          height: node.height,
          data: {
            node,
            step: definition.steps.find(({ key }) => key === node.step) ?? null,
            state: states.get(node.step ?? '') ?? null,
            isSelected: node.step !== null && node.step === selected,
            onSelect,
          },
        }),
      ),
    [layout, definition, states, selected, onSelect],
  )
  const asides = useMemo(() => armsAside(layout, states), [layout, states])
  const edges = useMemo(
    () =>
      layout.edges.map(
        ({ id, from, to }): BuiltInEdge => ({
          id,
          source: from,
          target: to,
          type: 'smoothstep',
          pathOptions: EDGE_PATH,
          // the order of the boxes has the same meaning; its label would be of ids, in English
          domAttributes: { 'aria-hidden': true },
          ...(asides.has(from) || asides.has(to) ? { className: styles.aside ?? '' } : {}),
        }),
      ),
    [layout, asides],
  )
  return (
    <div className={styles.frame} ref={frame} style={{ height }}>
      <ReactFlow<BoxNode, BuiltInEdge>
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        onInit={setInstance}
        aria-label={t.graph}
        ariaLabelConfig={NO_DESCRIPTIONS}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        disableKeyboardA11y
        deleteKeyCode={null}
        minZoom={0.2}
        maxZoom={1.5}
        // if the graph fits, dragging a finger on it scrolls the page
        panOnDrag={isLarger}
        panOnScroll={isLarger}
        zoomOnScroll={false}
        zoomOnDoubleClick={false}
        preventScrolling={isLarger}
        proOptions={{ hideAttribution: true }}
      >
        <Background gap={20} size={1} />
        {isLarger ? <ZoomButtons /> : null}
      </ReactFlow>
    </div>
  )
}

/** Arms that the run did not take. The edges to and from them are dimmed too. */
const armsAside = ({ nodes }: GraphLayout, states: GraphProps['states']): ReadonlySet<string> =>
  new Set(
    nodes.flatMap(({ id, kind, step, label }) => {
      const mark = kind === 'arm' ? states?.get(step ?? '')?.arms.get(label) : undefined
      return (mark?.aside ?? null) === null ? [] : [id]
    }),
  )

const ZoomButtons = () => {
  const t = useMessages(messages)
  const { zoomIn, zoomOut, fitView } = useReactFlow()
  return (
    <Panel position="bottom-right" className={styles.zoom ?? ''}>
      <IconButton label={t.zoomIn} icon={<ZoomIn size={15} />} onClick={() => void zoomIn()} />
      <IconButton label={t.zoomOut} icon={<ZoomOut size={15} />} onClick={() => void zoomOut()} />
      <IconButton label={t.fit} icon={<Maximize size={15} />} onClick={() => void fitView()} />
    </Panel>
  )
}
