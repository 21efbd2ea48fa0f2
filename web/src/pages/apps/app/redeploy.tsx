/** Deploys an earlier deployment again, after a confirmation. */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { useFormat } from '../../../language/format.ts'
import { useMessages } from '../../../language/messages.ts'
import { useApi } from '../../../session/api.ts'
import { useChange } from '../../../session/use-change.ts'
import { Button } from '../../../ui/button.tsx'
import { ChangeList } from '../../../ui/change-list.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { ErrorState } from '../../../ui/notice.tsx'
import { shortCommit } from '../../../ui/short-commit.ts'
import { messages } from './deployment-messages.ts'

const route = getRouteApi('/w/$ws/apps/$app')

export const Redeploy = ({ deployment }: Readonly<{ deployment: Schemas['Deployment'] }>) => {
  const t = useMessages(messages)
  const { ws } = route.useParams()
  const api = useApi()
  const navigate = route.useNavigate()
  const { short } = useFormat()
  const [isOpen, setOpen] = useState(false)
  const { app, deployment_id: id, commit, created_at } = deployment
  const change = useChange({
    change: () => api.post('/deployments/{id}/redeploy', { params: { id }, body: {} }),
    touches: [
      [ws, 'app', app],
      [ws, 'history', app],
      [ws, 'actions', app],
      [ws, 'functions', app],
    ],
    done: t.redeployed,
    failed: t.notRedeployed,
    onDone: () => setOpen(false),
    // the new deployment is at the top of the list
    leadOn: () => void navigate({ search: { tab: 'deployments' } }),
  })
  const changes = useQuery({
    queryKey: [ws, 'deployment-changes', id],
    queryFn: ({ signal }) => api.get('/deployments/{id}/changes', { params: { id }, signal }),
    enabled: isOpen,
    gcTime: 0,
  })
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Undo2 size={15} aria-hidden="true" />
        {t.redeploy}
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={t.redeployTitle}
        text={t.redeployText(shortCommit(commit), short(created_at))}
        confirm={t.redeployNow}
        isDangerous={(changes.data?.removed.length ?? 0) > 0}
        onConfirm={() => change.run(undefined)}
        isBusy={change.isBusy || changes.isFetching}
      >
        {changes.data === undefined ? null : <ChangeList changes={changes.data} />}
        {changes.error === null ? null : <ErrorState error={changes.error} />}
      </ConfirmDialog>
    </>
  )
}
