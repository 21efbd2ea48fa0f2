/** Labels of a job or a flow run. Each leads to the list of all that have it. */
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { useWorkspace } from '../session/api.ts'
import type { Fact } from '../ui/facts.tsx'

type LabelsProps = Readonly<{
  labels: readonly string[]
  to: '/w/$ws/jobs' | '/w/$ws/flow-runs'
}>

export const labelsFact = (title: string, { labels, to }: LabelsProps): Fact => [
  title,
  labels.length === 0 ? null : <Labels key="labels" labels={labels} to={to} />,
]

const Labels = ({ labels, to }: LabelsProps) => {
  const ws = useWorkspace()
  return labels.map((label, index) => (
    <Fragment key={label}>
      {index === 0 ? '' : ', '}
      <Link to={to} params={{ ws }} search={{ label }}>
        {label}
      </Link>
    </Fragment>
  ))
}
