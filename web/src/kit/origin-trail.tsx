/** The part of a page's breadcrumbs that leads to what started a job or a flow run: its flow run, or the job that called it. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { defineMessages, useMessages } from '../language/messages.ts'
import { flowRunQuery } from '../live/queries.ts'
import { useApi, useWorkspace } from '../session/api.ts'
import { useMay } from '../session/session.ts'
import { shortId } from '../ui/short-id.ts'
import { type Created, readCreator } from './creator.ts'

const messages = defineMessages({
  ofRun: {
    en: (name: string) => `Flow run ${name}`,
    ko: (name: string) => `플로우 실행 ${name}`,
  },
  ofJob: { en: (name: string) => `Job ${name}`, ko: (name: string) => `작업 ${name}` },
})

export type OriginTrailProps = Readonly<{
  of: Created
  /** The flow run that a job belongs to, or the parent run of a subflow. */
  run: string | null
  /** The flow of that run as `app/flow`, where it is known. */
  flow?: string | null
  /** The step of that run that the link opens. */
  step?: string | null
}>

export const OriginTrail = ({ of, run, flow = null, step = null }: OriginTrailProps) => {
  const may = useMay()
  const { kind, id, name } = readCreator(of)
  if (run !== null) return may('flows:read') ? <RunCrumb id={run} flow={flow} step={step} /> : null
  // without a name, the job was deleted
  if (kind !== 'job' || name === null || !may('jobs:read')) return null
  return <JobCrumb id={id} name={name} />
}

const Separator = () => <span aria-hidden="true">›</span>

type RunCrumbProps = Readonly<{ id: string; flow: string | null; step: string | null }>

const RunCrumb = ({ id, flow, step }: RunCrumbProps) => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const api = useApi()
  // a run of thousands of items is not loaded for its name, but a person often comes from its page
  const { data } = useQuery({ ...flowRunQuery(api, ws, id), enabled: false })
  return (
    <>
      <Separator />
      <Link to="/w/$ws/flow-runs/$id" params={{ ws, id }} search={step === null ? {} : { step }}>
        {t.ofRun(flow ?? (data === undefined ? shortId(id) : `${data.app}/${data.flow}`))}
      </Link>
    </>
  )
}

const JobCrumb = ({ id, name }: Readonly<{ id: string; name: string }>) => {
  const t = useMessages(messages)
  return (
    <>
      <Separator />
      <Link to="/w/$ws/jobs/$id" params={{ ws: useWorkspace(), id }}>
        {t.ofJob(name)}
      </Link>
    </>
  )
}
