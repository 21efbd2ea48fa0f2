/** Starts a flow with a form generated from its definition. */

import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Json } from '#sdk/mod.ts'
import { initialJson } from '../form/schema-form.tsx'
import { Loaded, type Query } from '../kit/detail-page.tsx'
import { InputDialog } from '../kit/input-dialog.tsx'
import { defineMessages, useMessages } from '../language/messages.ts'
import { actionsQuery } from '../live/queries.ts'
import { useApi, useWorkspace } from '../session/api.ts'
import { useMay } from '../session/session.ts'
import { Dialog } from '../ui/dialog.tsx'
import type { FlowDefinition } from './definition.ts'
import { type ActionSchemas, startSchema } from './start-schema.ts'

const messages = defineMessages({
  title: { en: (name: string) => `Start ${name}`, ko: (name: string) => `${name} 시작` },
  note: {
    en: 'This flow has no input schema. The fields are the values that its steps use.',
    ko: '이 플로우에는 입력 스키마가 없어 단계에서 참조하는 값으로 입력 항목을 만들었습니다.',
  },
  notStarted: { en: 'Could not start the run', ko: '실행을 시작하지 못했습니다' },
})

/** The schemas of an app's actions. */
export const useActionSchemas = (app: string): Query<ActionSchemas> => {
  const ws = useWorkspace()
  const api = useApi()
  const isOpen = useMay()('apps:read')
  const { data, error, refetch } = useQuery({
    ...actionsQuery(api, ws, app),
    enabled: isOpen && app !== '',
  })
  const known = data && new Map(data.items.map(({ key, input_schema }) => [key, input_schema]))
  return { data: isOpen ? known : NO_SCHEMAS, error, refetch }
}

const NO_SCHEMAS: ActionSchemas = new Map()

export type StartDialogProps = Readonly<{
  app: string
  flow: string
  definition: FlowDefinition
  /** The name under which typed text is kept. */
  draft: string
  /** The input of the run that is repeated. @default from the schema */
  initial?: Json
  note?: string
  onClose: () => void
}>

export const StartDialog = (props: StartDialogProps) => {
  const t = useMessages(messages)
  const schemas = useActionSchemas(props.app)
  const title = t.title(`${props.app}/${props.flow}`)
  if (schemas.data === undefined) {
    return (
      <Dialog isOpen isWide onClose={props.onClose} title={title}>
        <Loaded query={schemas}>{() => null}</Loaded>
      </Dialog>
    )
  }
  return <OpenStartDialog {...props} title={title} schemas={schemas.data} />
}

type OpenProps = StartDialogProps & Readonly<{ title: string; schemas: ActionSchemas }>

const OpenStartDialog = ({
  app,
  flow,
  definition,
  schemas,
  title,
  onClose,
  ...rest
}: OpenProps) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  const navigate = useNavigate()
  const schema = startSchema(definition, schemas)
  const initial =
    rest.initial === undefined ? initialJson(schema) : JSON.stringify(rest.initial, null, 2)
  return (
    <InputDialog
      title={title}
      send={t.start}
      failed={t.notStarted}
      note={rest.note ?? (schema === null ? null : t.note)}
      schema={schema}
      initial={initial}
      draft={`start ${ws} ${rest.draft}`}
      start={(body, idempotencyKey) =>
        api.post('/flows/run/{app}/{flow}', { params: { app, flow }, body, idempotencyKey })
      }
      onStarted={({ flow_run_id: id }) =>
        void navigate({ to: '/w/$ws/flow-runs/$id', params: { ws, id } })
      }
      onClose={onClose}
    />
  )
}
