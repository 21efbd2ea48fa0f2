/** One box in the graph of a flow. */
import { Handle, type Node, type NodeProps, Position, useReactFlow } from '@xyflow/react'
import { Filter } from 'lucide-react'
import type { ReactNode } from 'react'
import { useMessages } from '../language/messages.ts'
import { StatusIcon, useStatusWords } from '../ui/status-badge.tsx'
import type { FlowStep } from './definition.ts'
import styles from './graph.module.css'
import { type GraphNode, isWithin } from './graph-layout.ts'
import { messages } from './messages.ts'
import type { Mark } from './run-marks.ts'
import { StepIcon } from './step-icon.tsx'
import { STEP_KINDS, type StepKind, useStepWord } from './step-kinds.ts'

export type StepState = Mark &
  Readonly<{
    /** How long the step took, and how many of its items have ended. */
    note: string | null
    /** The marks of its arms, by key. */
    arms: ReadonlyMap<string, Mark>
  }>

export type BoxData = Readonly<{
  node: GraphNode
  step: FlowStep | null
  state: StepState | null
  isSelected: boolean
  onSelect: (step: string) => void
}>

export type BoxNode = Node<{ [Name in keyof BoxData]: BoxData[Name] }, 'box'>

export const GraphBox = ({ data }: NodeProps<BoxNode>) => (
  <>
    <Handle
      type="target"
      position={Position.Top}
      isConnectable={false}
      className={styles.handle ?? ''}
    />
    <Box data={data} />
    <Handle
      type="source"
      position={Position.Bottom}
      isConnectable={false}
      className={styles.handle ?? ''}
    />
  </>
)

const isKeyboardFocus = (element: Element): boolean => element.matches(':focus-visible')

/** Whether the frame shows the whole element. */
const isShown = (element: Element): boolean => {
  const frame = element.closest('.react-flow')?.getBoundingClientRect()
  return frame !== undefined && isWithin(element.getBoundingClientRect(), frame)
}

const Box = ({
  data: { node, step, state, isSelected, onSelect },
}: Readonly<{ data: BoxData }>) => {
  const t = useMessages(messages)
  const words = useStatusWords()
  const wordOf = useKindWord()
  const { setCenter, getZoom, getNode } = useReactFlow()
  const { kind, label, target, condition } = node
  if (kind === 'start' || kind === 'end') return <div className={styles.mark}>{t[kind]}</div>
  const key = node.step
  if (key === null) return null
  const isConditional = step !== null && (step.skipIf !== null || step.stopAfterIf !== null)
  const second = kind === 'arm' ? (condition ?? armNote(step, t.otherwise) ?? target) : target
  const mark = kind === 'arm' ? (state?.arms.get(label) ?? null) : state
  const bring = (element: Element): void => {
    const own = getNode(node.id)
    // a graph that fits must not move, because it cannot be moved back
    if (own === undefined || !isKeyboardFocus(element) || isShown(element)) return
    const { x, y } = own.position
    void setCenter(x + node.width / 2, y + node.height / 2, { zoom: getZoom() })
  }
  return (
    <button
      type="button"
      className={`nopan ${styles.box} ${kind === 'arm' ? styles.arm : ''}`}
      data-kind={kind}
      data-loop={kind !== 'arm' && STEP_KINDS[kind].isLoop}
      data-status={mark?.status}
      data-aside={mark?.aside ?? undefined}
      aria-pressed={isSelected}
      onClick={() => onSelect(key)}
      onFocus={({ currentTarget }) => bring(currentTarget)}
    >
      <span className={styles.sign}>
        {mark === null ? <StepIcon kind={kind} /> : <StatusIcon status={mark.status} />}
      </span>
      <span className={styles.words}>
        <strong>{label}</strong>
        <Second>{[wordOf(kind), second].filter((each) => each !== null).join(' · ')}</Second>
      </span>
      <span className={styles.side}>
        {isConditional ? <Filter size={13} aria-label={t.conditional} /> : null}
        {mark === null ? null : (
          <span className="visually-hidden">
            {mark.aside === null ? words[mark.status] : t[mark.aside]}
          </span>
        )}
        {kind === 'arm' ? null : (state?.note ?? null)}
      </span>
    </button>
  )
}

/** The word for a kind, or null for kinds that the graph shows without one. */
const useKindWord = (): ((kind: StepKind | 'arm') => string | null) => {
  const wordOf = useStepWord()
  return (kind) => (kind === 'arm' || STEP_KINDS[kind].isPlain === true ? null : wordOf(kind))
}

/** The note of the default arm; null for steps that take all arms. */
const armNote = (step: FlowStep | null, otherwise: string): string | null =>
  step !== null && STEP_KINDS[step.kind].choosesArm === true ? otherwise : null

const Second = ({ children }: Readonly<{ children: ReactNode }>) =>
  children === '' ? null : <small>{children}</small>
