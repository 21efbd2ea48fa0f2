/** Shows all facts of a row of a list, with its actions. A confirmation replaces the details. */
import type { ReactNode } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import { type Fact, Facts } from '../ui/facts.tsx'
import { type Action, useActions } from './action.tsx'

export type DetailsProps = Readonly<{
  title: string
  facts: readonly Fact[]
  onClose: () => void
  actions?: readonly Action[]
  /** A button of another kind, after the actions. */
  foot?: ReactNode
  /** Below the facts. */
  children?: ReactNode
}>

export const Details = (props: DetailsProps) => {
  const { title, facts, onClose, actions = [], foot = null, children } = props
  const { buttons, question } = useActions(
    actions.map((action) => ({ leadOn: onClose, ...action })),
    false,
  )
  if (question !== null) return question
  const isEmpty = buttons.length === 0 && foot === null
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      {...(isEmpty
        ? {}
        : {
            foot: (
              <>
                {buttons}
                {foot}
              </>
            ),
          })}
    >
      <div className="stack">
        <Facts facts={facts} />
        {children}
      </div>
    </Dialog>
  )
}
