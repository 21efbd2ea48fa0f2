/** The details of a workspace for super admins, with actions to open, suspend and credit it. */
import { useState } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { useRequestKey } from '../../form/use-request-key.ts'
import { Details } from '../../kit/details.tsx'
import { useFormat } from '../../language/format.ts'
import { useMessages } from '../../language/messages.ts'
import { useApi } from '../../session/api.ts'
import { useChange } from '../../session/use-change.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/facts.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { FormColumn } from '../../ui/form/form-column.tsx'
import { ErrorState } from '../../ui/notice.tsx'
import { ShortTime } from '../../ui/time.tsx'
import { announce } from '../../ui/toast.tsx'
import { messages } from './messages.ts'
import styles from './page.module.css'
import { WorkspaceState } from './workspace-state.tsx'

type WorkspaceDetailsProps = Readonly<{ workspace: Schemas['Workspace']; onClose: () => void }>

export const WorkspaceDetails = ({ workspace, onClose }: WorkspaceDetailsProps) => {
  const t = useMessages(messages)
  const api = useApi()
  const { id, suspended } = workspace
  return (
    <Details
      title={workspace.name}
      onClose={onClose}
      facts={[
        [t.id, <code key="id">{id}</code>],
        [t.state, <WorkspaceState key="state" isSuspended={suspended} />],
        [t.created, <ShortTime key="created" at={workspace.created_at} />],
      ]}
      actions={[
        {
          label: suspended ? t.resume : t.suspend,
          ...(suspended ? {} : { confirm: { title: t.suspendTitle(id), text: t.suspendText } }),
          run: () =>
            api.patch('/api/admin/workspaces/{id}', {
              params: { id },
              body: { suspended: !suspended },
            }),
          touches: [['admin', 'workspaces'], [id]],
          failed: t.notChanged,
          // keep the details open
          leadOn: () => undefined,
        },
      ]}
      foot={
        <ButtonLink to="/w/$ws" params={{ ws: id }} look="primary">
          {t.open}
        </ButtonLink>
      }
    >
      <Card title={t.credit}>
        <CreditForm id={id} />
      </Card>
    </Details>
  )
}

const CreditForm = ({ id }: Readonly<{ id: string }>) => {
  const t = useMessages(messages)
  const api = useApi()
  const { number } = useFormat()
  const [amount, setAmount] = useState('')
  const [note, setNote] = useState('')
  const idempotencyKey = useRequestKey(JSON.stringify([id, amount, note]))
  const add = useChange({
    change: () =>
      api.post('/api/admin/workspaces/{id}/credits', {
        params: { id },
        body: {
          amount_won: Number(amount),
          ...(note.trim() === '' ? {} : { note: note.trim() }),
        },
        idempotencyKey,
      }),
    touches: [[id, 'billing']],
    onDone: ({ balance_won }) => {
      announce({ title: t.creditAdded(number(balance_won)) })
      setAmount('')
      setNote('')
    },
  })
  return (
    <FormColumn onSubmit={() => add.run(undefined)}>
      {add.error === null ? null : <ErrorState error={add.error} title={t.noCredit} />}
      <div className={styles.two}>
        <TextField
          label={t.amount}
          hint={t.amountHint}
          type="number"
          step={1}
          isRequired
          value={amount}
          onText={setAmount}
        />
        <TextField label={t.note} maxLength={500} value={note} onText={setNote} />
        <Button type="submit" disabled={add.isBusy}>
          {t.addCredit}
        </Button>
      </div>
    </FormColumn>
  )
}
