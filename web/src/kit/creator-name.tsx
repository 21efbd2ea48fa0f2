/** Shows who started something by name: in lists as text, in details with a link. */
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { defineMessages, useMessages } from '../language/messages.ts'
import { useWorkspace } from '../session/api.ts'
import type { Column } from '../ui/table/data-table.tsx'
import { column, wide } from './columns.tsx'
import { type Created, type CreatorKind, readCreator } from './creator.ts'

const messages = defineMessages({
  api_key: { en: 'API key', ko: 'API 키' },
  git_source: { en: 'Git source', ko: 'Git 소스' },
})

type CreatorProps = Readonly<{ of: Created }>

/** Shows only the name, because the list has a column for the kind. Without a name, it shows the kind. */
export const CreatorName = ({ of }: CreatorProps) => {
  const t = useMessages(messages)
  const { kind, name } = readCreator(of)
  return <span title={of.created_by}>{name ?? (kind === null ? null : t[kind])}</span>
}

/** A column that shows most e-mail addresses whole, next to a name of `4fr`. */
export const CREATOR_WIDTH = 'minmax(6rem, 2fr)'

export const creatorColumn = <Row extends Created>(header: string): Column<Row> =>
  wide(column(header, CREATOR_WIDTH, (row) => <CreatorName of={row} />))

/** Shows the kind and the name, with a link to the page of what started it. */
export const CreatorLink = ({ of }: CreatorProps) => {
  const t = useMessages(messages)
  const { kind, id, name } = readCreator(of)
  if (kind === null) return id
  return (
    <span title={of.created_by}>
      {t[kind]}
      {name === null ? null : (
        <>
          {' '}
          <Target kind={kind} id={id}>
            {name}
          </Target>
        </>
      )}
    </span>
  )
}

type TargetProps = Readonly<{ kind: CreatorKind; id: string; children: ReactNode }>

const Target = ({ kind, id, children }: TargetProps) => {
  const ws = useWorkspace()
  const [app = '', key = ''] = id.split('/')
  switch (kind) {
    case 'customer':
      return (
        <Link to="/w/$ws/customers/$id" params={{ ws, id }}>
          {children}
        </Link>
      )
    case 'schedule':
      return (
        <Link to="/w/$ws/schedules/$id" params={{ ws, id }}>
          {children}
        </Link>
      )
    case 'job':
    case 'error_handler':
      return (
        <Link to="/w/$ws/jobs/$id" params={{ ws, id }}>
          {children}
        </Link>
      )
    case 'webhook':
      return (
        <Link to="/w/$ws/webhooks/$app/$key" params={{ ws, app, key }}>
          {children}
        </Link>
      )
    case 'function':
      return (
        <Link to="/w/$ws/apps/$app/functions/$name" params={{ ws, app, name: key }}>
          {children}
        </Link>
      )
    default:
      return children
  }
}
