/** Shows the current workspace, and lets the person switch to another. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ChevronsUpDown } from 'lucide-react'
import { defineMessages, useMessages } from '../language/messages.ts'
import { useWorkspace } from '../session/api.ts'
import { workspacesQuery } from '../session/session.ts'
import { buttonClass } from '../ui/button.tsx'
import { Menu, MenuChoice } from '../ui/menu.tsx'

const messages = defineMessages({
  current: { en: (ws: string) => `Workspace ${ws}`, ko: (ws: string) => `워크스페이스 ${ws}` },
})

export const WorkspaceMenu = ({
  className,
  nameClass,
}: Readonly<{ className: string; nameClass: string }>) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const navigate = useNavigate()
  const { data: workspaces = [] } = useQuery(workspacesQuery)
  return (
    <Menu
      label={t.current(ws)}
      className={`${buttonClass()} ${className}`}
      button={
        <>
          <span className={nameClass}>{ws}</span>
          <ChevronsUpDown size={14} aria-hidden="true" />
        </>
      }
    >
      <MenuChoice
        label={t.workspaces}
        value={ws}
        onChange={(chosen) => void navigate({ to: '/w/$ws', params: { ws: chosen } })}
        options={workspaces.map(({ id }) => ({ value: id, label: id }))}
      />
    </Menu>
  )
}
