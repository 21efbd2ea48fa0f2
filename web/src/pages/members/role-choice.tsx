/** The two roles, each with a description of its permissions [access 4.2]. */
import { useMessages } from '../../language/messages.ts'
import { Choices } from '../../ui/form/choices.tsx'
import { messages } from './messages.ts'

export type Role = 'member' | 'admin'

type RoleChoiceProps = Readonly<{
  role: Role
  onChange: (role: Role) => void
  isDisabled?: boolean
}>

export const RoleChoice = ({ role, onChange, isDisabled = false }: RoleChoiceProps) => {
  const t = useMessages(messages)
  return (
    <Choices
      label={t.role}
      value={role}
      onChange={onChange}
      isDisabled={isDisabled}
      options={[
        { value: 'member', label: t.member, hint: t.memberHint },
        { value: 'admin', label: t.admin, hint: t.adminHint },
      ]}
    />
  )
}
