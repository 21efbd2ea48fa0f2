/** Whether paid calls of a workspace are accepted, by icon, word and colour. */
import { Ban, CircleCheck } from 'lucide-react'
import { useMessages } from '../../language/messages.ts'
import badge from '../../ui/status-badge.module.css'
import { messages } from './messages.ts'

export const WorkspaceState = ({ isSuspended }: Readonly<{ isSuspended: boolean }>) => {
  const t = useMessages(messages)
  const Icon = isSuspended ? Ban : CircleCheck
  return (
    <span className={`${badge.badge} ${isSuspended ? badge.bad : badge.good}`}>
      <Icon size={15} aria-hidden="true" />
      {isSuspended ? t.suspended : t.active}
    </span>
  )
}
